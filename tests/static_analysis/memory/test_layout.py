import llvmlite.binding as llvm
import pytest
from hypothesis import given
from hypothesis import strategies as st

from static_analysis.memory.layout import Layout
from static_analysis.reading.lexer import lexemes
from static_analysis.reading.type_table import TypeTable

X86 = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
LAYOUTS = [
    "",
    X86,
    "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128",
    "e-m:e-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32",
    "E-m:a-p:32:32-Fi32-i64:64-n32-f64:32:64",
    "e-p:64:64-p3:32:32-v48:32-a:0:32-i24:8-n32",
]
_INTEGERS = st.sampled_from([1, 7, 8, 16, 24, 32, 48, 64, 100, 128, 999]).map("i{}".format)
_FLOATS = ["half", "bfloat", "float", "double", "fp128", "x86_fp80", "ppc_fp128"]
_POINTERS = ["ptr", "ptr addrspace(3)", "ptr addrspace(270)"]
_SCALARS = _INTEGERS | st.sampled_from(_FLOATS + _POINTERS)


def _larger(inner):
    fields = st.lists(inner, max_size=5).map(", ".join)
    return st.one_of(
        fields.map(lambda inside: f"{{ {inside} }}"),
        fields.map(lambda inside: f"<{{ {inside} }}>"),
        st.tuples(st.integers(0, 9), inner).map(lambda pair: f"[{pair[0]} x {pair[1]}]"),
    )


_VECTORS = st.tuples(st.integers(1, 9), _SCALARS).map(lambda pair: f"<{pair[0]} x {pair[1]}>")
TYPES = st.recursive(_SCALARS | _VECTORS, _larger, max_leaves=12)


def measured(text, datalayout=X86):
    wanted, _ = TypeTable().parse(lexemes(text))
    return Layout(datalayout).measure(wanted)


@pytest.mark.parametrize("datalayout", LAYOUTS)
@given(text=TYPES)
def test_strides_and_offsets_are_those_of_llvm(datalayout, text):
    module = llvm.parse_assembly(f'target datalayout = "{datalayout}"\n@g = external global {text}')
    as_llvm = module.get_global_variable("g").global_value_type
    target = llvm.create_target_data(datalayout)
    found = measured(text, datalayout)
    assert found.stride == target.get_abi_size(as_llvm)
    assert found.alignment == target.get_abi_alignment(as_llvm)
    for field, offset in enumerate(found.offsets):
        assert offset == target.get_element_offset(as_llvm, field)


@pytest.mark.parametrize(
    ("text", "size", "stride"),
    [("x86_fp80", 10, 16), ("<3 x i32>", 12, 16), ("i1", 1, 1), ("i33", 5, 8), ("<9 x i1>", 2, 2)],
)
def test_an_access_touches_no_padding_after_the_value(text, size, stride):
    assert (measured(text).size, measured(text).stride) == (size, stride)


@pytest.mark.parametrize(
    "text", ["<vscale x 4 x i32>", "%opaque", 'target("t")', "{ i32, [2 x %opaque] }", "void"]
)
def test_what_has_no_fixed_size_has_none(text):
    assert measured(text) is None


def test_types_nest_as_deep_as_they_like():
    assert measured("[1 x " * 20000 + "i32" + "]" * 20000).size == 4
