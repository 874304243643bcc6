import pytest
from hypothesis import given
from hypothesis import strategies as st

from static_analysis.words.symbols import MAX_WORD, MAX_WORDS, symbol_words, type_words, words


@pytest.mark.parametrize(
    ("lexeme", "expected"),
    [
        ("@list_insertNode2", ["list", "insert", "node", "2"]),
        ("@HTTPServer", ["http", "server"]),
        ("@log10", ["log", "10"]),
        ("@_ZNSt6vectorIiSaIiEE9push_backEOi", ["std", "vector", "push", "back"]),
        ("@_ZN12_GLOBAL__N_13fooEv", ["foo"]),
        ("@_ZN4core3fmt5write17h0123456789abcdefE", ["core", "fmt", "write"]),
        ("@llvm.memcpy.p0.p0.i64", ["llvm", "memcpy"]),
        ("@llvm.sadd.with.overflow.i32", ["llvm", "sadd", "with", "overflow"]),
        ("@llvm.ssa.copy.s_struct.points", ["llvm", "ssa", "copy"]),
        ("@llvm.ssa.copy.sl_i32p0s", ["llvm", "ssa", "copy"]),
        ("@llvm.aarch64.neon.sli.v4i32", ["llvm", "aarch", "64", "neon", "sli"]),
        ("@llvm.ppc.altivec.vsel", ["llvm", "ppc", "altivec", "vsel"]),
        ("@llvm.sqrt.ppcf128", ["llvm", "sqrt"]),
        ("@llvm.amdgcn.cvt.f32.fp8", ["llvm", "amdgcn", "cvt", "f", "32", "fp", "8"]),
        ("@llvm.vector.insert.nxv4i32.v4i32", ["llvm", "vector", "insert"]),
        ("@.str.12", ["str"]),
        ("@0", ["anonymous"]),
        (r'@"\C3\A9t"', ["ue9", "t"]),
        ('@"?go@Left@@UEAAHH@Z"', ["go", "left", "ueaahh", "z"]),
    ],
)
def test_words_of_symbols(lexeme, expected):
    assert symbol_words(lexeme) == expected


@pytest.mark.parametrize(
    ("lexeme", "expected"),
    [
        ("%struct.list_node", ["list", "node"]),
        ("%class.Point.3", ["point"]),
        ('%"class.a::B<int, char>"', ["a", "b", "int", "char"]),
        ("%0", ["anonymous"]),
        ("%T", ["t"]),
    ],
)
def test_words_of_types(lexeme, expected):
    assert type_words(lexeme) == expected


@given(st.text(max_size=300))
def test_words_are_few_short_printable_ascii_without_capitals(name):
    found = words(name)
    assert len(found) <= MAX_WORDS
    for word in found:
        assert word.isascii()
        assert word.isprintable()
        assert word == word.lower() != ""
        assert len(word) <= MAX_WORD or not name.isascii()
