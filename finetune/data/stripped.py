"""Functions as a stripped binary shows them: what is called, read or typed has no name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tokenizers import Tokenizer

from oscar.tokenizer import OscarTokenizer, StreamTokenizer

_LLVM = "@llvm"
"""The first word of an intrinsic's name."""


def nameless(tokens: Iterable[str]) -> list[str]:
    """The tokens of an entry without the words of functions', globals' and types' names.

    Those of LLVM's intrinsics stay: they are operations, such as `llvm.smax`, and no symbols. So
    does what strings say, which a stripped binary still holds.
    """
    kept: list[str] = []
    held: list[str] = []
    for token in tokens:
        if token[0] in "@%" and len(token) > 1:
            held.append(token)
            continue
        if held and (token == "</text>" or held[0] == _LLVM):
            kept += held
        held = []
        kept.append(token)
    return kept


def without_names(tokenizer: OscarTokenizer) -> OscarTokenizer:
    """The same vocabularies, read with names passed over."""
    return OscarTokenizer(*map(_Nameless, (tokenizer.instruction, tokenizer.environment)))


class _Nameless(StreamTokenizer):
    def __init__(self, stream: StreamTokenizer) -> None:
        super().__init__(Tokenizer.from_str(stream.to_json()))

    def encode(self, tokens: Iterable[str]) -> list[int]:
        return super().encode(nameless(tokens))


def stripped_stream(tokens: Sequence[Sequence[str]], keep_names: bool) -> str:
    """A stream as text, an entry a line: equal for functions that read alike.

    Args:
        tokens: of each entry.
        keep_names: whether names are read.
    """
    return "\n".join(" ".join(entry if keep_names else nameless(entry)) for entry in tokens)
