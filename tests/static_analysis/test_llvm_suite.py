"""Every module of LLVM's own tests that LLVM reads, read with the same result."""

import pytest

from benchmarks.llvm_modules import llvm_suites, read_with_llvm
from static_analysis import analyse
from static_analysis.lexer import lexemes


def check(module):
    functions = analyse(module.text)
    assert [[len(f.blocks), len(f.instructions)] for f in functions] == module.counts
    for function, name in zip(functions, module.names, strict=True):
        assert function.name == name or (not name and function.name.isdecimal())
        streams = function.tokens, function.environment, function.positions
        assert {len(stream) for stream in streams} == {len(function.instructions)}
        for text, tokens, entry in zip(
            function.instructions, function.tokens, function.environment, strict=True
        ):
            assert _squeezed("".join(lexemes(text))) == _squeezed(text)
            assert all((tokens, entry))
            assert all(token.isascii() and token.isprintable() for token in tokens + entry)


def _squeezed(text):
    return "".join(text.split())


def test_memory_ssa_tests(data):
    paths = [str(path) for path in sorted((data / "llvm-memoryssa").glob("*.ll"))]
    modules = list(read_with_llvm(paths))
    assert len(modules) > 30
    for module in modules:
        check(module)


@pytest.mark.slow
def test_llvm_tests(data):
    with llvm_suites(data) as paths:
        modules = list(read_with_llvm(paths))
    assert len(modules) > 700
    for module in modules:
        try:
            check(module)
        except Exception as error:
            raise AssertionError(f"{module.path}: {error}") from error
