"""Environment effects of calls: who is called, with what, and what that may do to memory."""

from static_analysis.encoding.call_words import CallWords
from static_analysis.encoding.encode_control import goto
from static_analysis.encoding.pieces import Piece, listed, shortened
from static_analysis.reading.form import Call, Form
from static_analysis.words.tokens import Dictionary

_MAX_CALLEE = 24


def call_pieces(form: Form, dictionary: Dictionary, words: CallWords) -> list[Piece]:
    """Encode ``call``, ``invoke`` and ``callbr``.

    The order is callee, arguments, operand bundles, memory effect, flags, and where control goes.
    """
    call = form.call
    assert call is not None, form.opcode
    pieces = [
        form.opcode,
        *callee_pieces(call, dictionary),
        *listed(form.operands, dictionary),
        *_bundles(call, dictionary),
        *words.effect(call),
        *form.flags,
    ]
    return pieces + goto(form) if form.labels else pieces


def callee_pieces(call: Call, dictionary: Dictionary) -> list[Piece]:
    """Return the words of what is called; of inline assembly its text and its constraints."""
    lexemes = [lexeme for lexeme in call.callee.lexemes if lexeme != ","]
    return shortened(dictionary.spell(lexemes, call.callee.holes), _MAX_CALLEE)


def _bundles(call: Call, dictionary: Dictionary) -> list[Piece]:
    pieces: list[Piece] = []
    for tag, operands in call.bundles:
        pieces += ["with", *dictionary[tag], *listed(operands, dictionary)]
    return pieces
