"""Environment effects of instructions that compute a value from values.

An encoder gives the pieces that stand after ``v… <-`` for all instructions of a form.
"""

from collections.abc import Callable

from static_analysis.encoding.pieces import MAX_LISTED, Piece, listed, operand_pieces, type_pieces
from static_analysis.reading.brackets import split
from static_analysis.reading.form import Form
from static_analysis.reading.keywords import CASTS
from static_analysis.words.tokens import Dictionary

Encode = Callable[[Form, Dictionary], list[Piece]]


def operation(form: Form, dictionary: Dictionary) -> list[Piece]:
    """Encode an operation by opcode, operands and flags; what no other encoder is made for."""
    return [form.opcode, *listed(form.operands, dictionary), *form.flags]


def comparison(form: Form, dictionary: Dictionary) -> list[Piece]:
    """Encode ``icmp`` and ``fcmp``: predicate, operands, flags.

    Predicates of ``fcmp`` have an ``f`` in front, so that ``ult`` (unsigned) and ``fult``
    (unordered or less) stay apart.
    """
    predicate = f"f{form.predicate}" if form.opcode == "fcmp" else form.predicate
    return [predicate, *listed(form.operands, dictionary), *form.flags]


def _cast(form: Form, dictionary: Dictionary) -> list[Piece]:
    to = len(form.lexemes) - form.lexemes[::-1].index("to")
    target = type_pieces(form.lexemes[to:], dictionary)
    return [form.opcode, *listed(form.operands, dictionary), *target, *form.flags]


def _address(form: Form, dictionary: Dictionary) -> list[Piece]:
    """Encode ``getelementptr``: base, indices, ``of`` the type stepped through, flags."""
    stepped = type_pieces(_element(form), dictionary)
    return [form.opcode, *listed(form.operands, dictionary), "of", *stepped, *form.flags]


def _slot(form: Form, dictionary: Dictionary) -> list[Piece]:
    """Encode ``alloca``: the type there is room for, and how many of them."""
    kind = type_pieces(_element(form), dictionary)
    return ["alloca", *kind, *listed(form.operands, dictionary)]


def _element(form: Form) -> list[str]:
    """Return the lexemes of the type after the opcode and its flags."""
    start = form.lexemes.index(form.opcode) + 1 + len(form.flags)
    return split(list(form.lexemes[start:]))[0]


def _phi(form: Form, dictionary: Dictionary) -> list[Piece]:
    """Encode ``phi`` by pairs of value and block it comes from, and flags."""
    pieces: list[Piece] = ["phi"]
    for operand, label in zip(form.operands[:MAX_LISTED], form.labels, strict=False):
        pieces += [*operand_pieces(operand, dictionary), label]
    return [*pieces, *["more"] * (len(form.operands) > MAX_LISTED), *form.flags]


def _member(form: Form, dictionary: Dictionary) -> list[Piece]:
    """Encode ``extractvalue`` and ``insertvalue``: operands, then the indices of the member."""
    indices = [f"#{index}" for index in form.indices]
    return [form.opcode, *listed(form.operands, dictionary), *indices]


ENCODERS: dict[str, Encode] = {
    **dict.fromkeys(CASTS, _cast),
    **dict.fromkeys(("icmp", "fcmp"), comparison),
    **dict.fromkeys(("extractvalue", "insertvalue"), _member),
    "getelementptr": _address,
    "alloca": _slot,
    "phi": _phi,
}
