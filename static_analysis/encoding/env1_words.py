"""Words of the original encoding, which tells neither signs nor floats apart."""

from collections.abc import Sequence

from static_analysis.reading.form import Operand
from static_analysis.reading.types import VectorType
from static_analysis.words.constants import number_token

BINARY = {
    **{"add": "+", "fadd": "+", "sub": "-", "fsub": "-", "mul": "*", "fmul": "*"},
    **{"sdiv": "/", "udiv": "/", "fdiv": "/", "srem": "%", "urem": "%", "frem": "%"},
    **{"shl": "<<", "lshr": ">>", "ashr": ">>", "and": "&", "or": "|", "xor": "^"},
}
CONVERSIONS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("zext", "sext", "fpext", "bitcast", "addrspacecast", "freeze"), ()),
    **dict.fromkeys(("ptrtoint", "ptrtoaddr", "inttoptr"), ()),
    **dict.fromkeys(("trunc", "fptrunc"), ("trunc",)),
    **dict.fromkeys(("fptosi", "fptoui"), ("fptoint",)),
    **dict.fromkeys(("sitofp", "uitofp"), ("inttofp",)),
    "fneg": ("-",),
}
_SYMBOLS = {"eq": "==", "ne": "!=", "gt": ">", "lt": "<", "ge": ">=", "le": "<="}
RELATIONS = {
    f"{kind}{order}": symbol for order, symbol in _SYMBOLS.items() for kind in ("", "s", "u", "o")
}
_WORDS = {"true": "-1", "false": "0", "null": "<null>"}


def constant(lexemes: Sequence[str]) -> str:
    """Return the word of a constant: its value if it is a number or a truth value."""
    word = lexemes[0]
    if len(lexemes) > 1:
        return "<const>"
    if word[0].isdigit() or (word[0] in "+-" and len(word) > 1):
        return number_token(word)[1:].removesuffix(".0")
    return _WORDS.get(word, "<const>")


def mask(operand: Operand) -> list[str]:
    """Return the lanes that a ``shufflevector`` takes."""
    if operand.lexemes == ("zeroinitializer",) and isinstance(operand.type, VectorType):
        return ["0"] * operand.type.count
    return [constant([lexeme]) for lexeme in operand.lexemes if lexeme[0] not in "<>i,"]


def separated(values: Sequence[str]) -> list[str]:
    """Return values with commas between."""
    return [token for value in values for token in (",", value)][1:]
