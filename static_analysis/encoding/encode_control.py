"""Environment effects of branches, returns and exception handling that follow from the form.

Where a branch goes is told by labels, which are locals like any other. Conditions and cases are
no matter of the form; ``branches`` spells those.
"""

from static_analysis.encoding.encode_values import Encode
from static_analysis.encoding.pieces import Piece, listed, operand_pieces
from static_analysis.reading.form import Form
from static_analysis.words.tokens import Dictionary

MAX_TARGETS = 8
_UNWINDING = frozenset({"invoke", "catchswitch", "cleanupret"})


def goto(form: Form) -> list[Piece]:
    """Return where control may go from a terminator, ``unwind`` before the way of an exception."""
    unwinds = form.opcode in _UNWINDING and not form.unwinds_to_caller
    ways = form.labels[:-1] if unwinds else form.labels
    pieces: list[Piece] = ["goto", *ways[:MAX_TARGETS], *["more"] * (len(ways) > MAX_TARGETS)]
    if unwinds:
        pieces += ["unwind", form.labels[-1]]
    return pieces + ["unwind", "caller"] * form.unwinds_to_caller


def _transfer(form: Form, dictionary: Dictionary) -> list[Piece]:
    return [form.opcode, *listed(form.operands, dictionary), *goto(form)]


def _return(form: Form, dictionary: Dictionary) -> list[Piece]:
    return ["return", *listed(form.operands, dictionary)] if form.operands else ["return", "void"]


def _landing_pad(form: Form, dictionary: Dictionary) -> list[Piece]:
    """Encode the start of an exception handler by its clauses."""
    pieces: list[Piece] = ["landingpad", *["cleanup"] * ("cleanup" in form.clauses)]
    for clause, operand in zip(form.clauses, form.operands, strict=False):
        pieces += [clause, *operand_pieces(operand, dictionary)]
    return pieces


ENCODERS: dict[str, Encode] = {
    **dict.fromkeys(("indirectbr", "catchswitch", "catchret", "cleanupret"), _transfer),
    "ret": _return,
    "landingpad": _landing_pad,
}
