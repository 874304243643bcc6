import time

import itanium_demangler
import pytest
from hypothesis import given
from hypothesis import strategies as st

from static_analysis.words.demangle import qualified_name

# Symbols of a program that uses containers, strings, streams and virtual bases.
SYMBOLS = [
    "_ZN4GridIdLi10EEclEi",
    "_ZNK4GridIdLi10EEcvbEv",
    "_ZN4GridIdLi10EED2Ev",
    "_ZTV4Left",
    "_ZTI4Base",
    "_ZThn8_N4Left2goEi",
    "_ZNSt6vectorIiSaIiEE9push_backEOi",
    "_ZNKSt6vectorIiSaIiEE4sizeEv",
    "_ZN12_GLOBAL__N_16Hidden5twiceEv",
    "_ZNKSt3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEE14__annotate_newB9nie220108Em",
    "_ZNKSt3__111__wrap_iterIPiE4baseB9nie220108Ev",
    "_Znwm",
    "_ZdlPv",
    "_ZN3fooI4EnumEC1ERKS1_",
    "_Z3addii",
    "_Z1fPFivE",
    "_ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEE6sentryC1ERS3_",
    "_ZN1A1BC2Ev",
    "_ZN1AD0Ev",
    "_Z3fooILb1EEvv",
    "_ZNKSt3__18functionIFiiEEclEi",
    "_ZN5outer5inner4leafERKNS0_4nodeE",
    "_Z5countRA10_i",
    "_ZN1aplERKS_",
    "_ZStplRKSsS0_",
]


def components(node):
    """The qualified name in the tree of a full demangler."""
    if node.kind == "func":
        return components(node.name)
    if node.kind == "qual_name":
        return [part for child in node.value for part in components(child)]
    if node.kind in ("abi", "cv_qual", "lvalue", "rvalue"):
        return components(node.value)
    if node.kind in ("vtable", "typeinfo"):
        return [node.kind, *components(node.value)]
    if node.kind == "nonvirt_thunk":
        return ["thunk", *components(node.value)]
    if node.kind in ("oper", "oper_cast"):
        return ["operator"]
    return {"name": [node.value], "tpl_args": []}.get(node.kind, [node.kind])


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_agrees_with_a_full_demangler(symbol):
    found = qualified_name(symbol)
    without_code = [part for at, part in enumerate(found) if not at or found[at - 1] != "operator"]
    assert without_code == components(itanium_demangler.parse(symbol))


@pytest.mark.parametrize(
    ("symbol", "parts"),
    [
        ("_ZZ3foovE3bar", ["foo", "bar"]),
        ("_ZZ3usevENKUlvE_clEv", ["use", "lambda", "operator", "cl"]),
        ("_ZZN1A3fooEiENK3$_0clEv", ["A", "foo", "$_0", "operator", "cl"]),
        ("_ZGVZ3usevE1s", ["guard", "use", "s"]),
        ("_ZL3foov", ["foo"]),
        ("_ZN3fooILi5E4EnumL4Enum5EE3barEv", ["foo", "bar"]),
        ("_ZNSt3mapISsiE2atB5cxx11E", ["std", "map", "at"]),
        ("_Z3foov.cold", ["foo"]),
        ("__Z3foov", ["foo"]),
        ("printf", None),
        ("_Z", []),
    ],
)
def test_names_beyond_the_full_demangler(symbol, parts):
    assert qualified_name(symbol) == parts


@given(st.text("_ZNKSt0123456789EILXFJULTDvibc.$", max_size=80))
def test_any_text_is_survived(text):
    qualified_name("_Z" + text)


def test_a_symbol_that_demangles_to_megabytes_costs_what_its_length_costs():
    doubling = "_Z1f1a" + "".join(f"St4pairIS{'' if n == 0 else n - 1}_S_E" for n in range(30))
    started = time.process_time()
    assert qualified_name(doubling + "E" * 100_000) == ["f"]
    assert len(qualified_name("_ZN" + "1a" * 50_000 + "E")) == 50_000
    assert time.process_time() - started < 5
