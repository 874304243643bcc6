"""A program as a bag of words: of its source, of its IR, of its opcodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from pygments.lexers import CppLexer
from pygments.token import Token

from finetune.data.programs import Program
from ir_pipeline import FunctionView
from static_analysis import opcode

Words = Callable[[Program, Sequence[FunctionView]], Iterable[str]]
"""From a program and its functions to its words."""

_DROPPED = (Token.Comment, Token.Text)


def opcode_words(functions: Sequence[FunctionView]) -> Iterator[str]:
    """The opcode of every instruction."""
    for function in functions:
        yield from map(opcode, function.tokens)


def opcodes(program: Program, functions: Sequence[FunctionView]) -> Iterator[str]:
    """The opcodes of the program's functions."""
    return opcode_words(functions)


def opcode_bigrams(program: Program, functions: Sequence[FunctionView]) -> Iterator[str]:
    """Opcodes, and those that follow each other."""
    for function in functions:
        names = [opcode(tokens) for tokens in function.tokens]
        yield from names
        yield from (" ".join(pair) for pair in pairwise(names))


def ir_tokens(program: Program, functions: Sequence[FunctionView]) -> Iterator[str]:
    """The tokens of the instruction stream but numbered locals, which mean nothing alone."""
    for function in functions:
        for tokens in function.tokens:
            yield from (token for token in tokens if not _is_local(token))


def ir_statements(program: Program, functions: Sequence[FunctionView]) -> Iterator[str]:
    """One word an instruction, locals without their numbers."""
    for function in functions:
        yield from map(_statement, function.tokens)


def ir_tokens_and_statements(program: Program, functions: Sequence[FunctionView]) -> Iterator[str]:
    """Both."""
    yield from ir_tokens(program, functions)
    yield from ir_statements(program, functions)


def environment_statements(program: Program, functions: Sequence[FunctionView]) -> Iterator[str]:
    """One word an environment entry, locals without their numbers."""
    for function in functions:
        yield from map(_statement, function.environment)


def source_tokens(program: Program, functions: Sequence[FunctionView]) -> Iterator[str]:
    """The tokens of the source text as they are, without comments and white space."""
    return (text for _, text in _lexed(program.code))


def anonymous_source_bigrams(program: Program, functions: Sequence[FunctionView]) -> Iterator[str]:
    """Source tokens with every name the same, and those that follow each other.

    The strongest of the unlearned baselines on POJ-104: what students name their variables says
    little of the problem they solve.
    """
    texts = ["name" if kind in Token.Name else text for kind, text in _lexed(program.code)]
    yield from texts
    yield from (" ".join(pair) for pair in pairwise(texts))


def _statement(tokens: Sequence[str]) -> str:
    return " ".join(token[0] if _is_local(token) else token for token in tokens)


def _is_local(token: str) -> bool:
    return token[0] in "vlm" and token[1:].isdigit()


@lru_cache(maxsize=1)
def _lexer() -> CppLexer:
    return CppLexer(stripnl=False)


@lru_cache(maxsize=1)
def _lexed(code: str) -> list[tuple[Any, str]]:
    """Kind and text of each token; one program is asked for by each kind of words in turn."""
    return [
        (kind, text)
        for kind, text in _lexer().get_tokens(code)
        if not text.isspace() and not any(kind in dropped for dropped in _DROPPED)
    ]
