import pytest

from static_analysis.memory.intrinsics import INTRINSICS, intrinsic
from static_analysis.memory.origins import NOTHING


@pytest.mark.parametrize("name", INTRINSICS)
def test_entries_are_well_formed(name):
    known = INTRINSICS[name]
    assert set(known.arguments) <= set("-rwW*")
    assert known.writes == NOTHING  # attributes tell what else they write
    assert known.result in ("", "0", "~0")


@pytest.mark.parametrize(
    ("lexeme", "arguments"),
    [
        ("@llvm.memcpy.p0.p0.i64", "Wr--"),
        ("@llvm.memcpy.inline.p0.p0.i64", "Wr--"),
        ("@llvm.memset.p1.i32", "W---"),
        ("@llvm.memset.element.unordered.atomic.p0.i32", "W---"),
        ("@llvm.va_start", "w"),
        ("@llvm.va_start.p0", "w"),
        ("@llvm.ptrmask.p0.i64", "r-"),
    ],
)
def test_types_in_the_name_do_not_matter(lexeme, arguments):
    found = intrinsic(lexeme)
    assert found is not None
    assert found.arguments == arguments


@pytest.mark.parametrize(
    "lexeme", ["@memcpy", "@llvm.memcpyx.p0", "@llvm.unheard.of", "@llvm.", '@"llvm memcpy"', ""]
)
def test_other_names_are_not_known(lexeme):
    assert intrinsic(lexeme) is None
