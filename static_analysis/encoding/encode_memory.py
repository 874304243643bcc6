"""Environment effects of instructions that read, write and order memory.

What a load reads is no matter of its form; ``sources`` tells it.
"""

from static_analysis.encoding.encode_values import Encode
from static_analysis.encoding.pieces import Piece, listed, type_pieces
from static_analysis.reading.brackets import split
from static_analysis.reading.form import Form
from static_analysis.words.tokens import Dictionary


def _access(form: Form, dictionary: Dictionary) -> list[Piece]:
    """Encode ``load``, ``store`` and ``cmpxchg``: operands, then how memory is accessed."""
    return [form.opcode, *listed(form.operands, dictionary), *_manner(form, dictionary)]


def _read_modify_write(form: Form, dictionary: Dictionary) -> list[Piece]:
    """Encode ``atomicrmw``; what it does to the value comes first."""
    operands = listed(form.operands, dictionary)
    return [form.opcode, form.predicate, *operands, *_manner(form, dictionary)]


def _fence(form: Form, dictionary: Dictionary) -> list[Piece]:
    return ["fence", *_manner(form, dictionary)]


def _manner(form: Form, dictionary: Dictionary) -> list[Piece]:
    """Return volatility, scope and ordering."""
    scope = ["scope", *dictionary[form.scope]] if form.scope else []
    return [*form.flags, *scope, *form.ordering]


def _next_argument(form: Form, dictionary: Dictionary) -> list[Piece]:
    kind = type_pieces(split(list(form.lexemes))[-1], dictionary)
    return ["va_arg", *listed(form.operands, dictionary), *kind]


ENCODERS: dict[str, Encode] = {
    **dict.fromkeys(("load", "store", "cmpxchg"), _access),
    "atomicrmw": _read_modify_write,
    "fence": _fence,
    "va_arg": _next_argument,
}
