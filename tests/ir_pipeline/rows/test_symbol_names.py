import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_pipeline.rows.symbol_names import source_name


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("main", "main"),
        ("_Z3maxIiET_S0_S0_", "max"),
        ("_ZN3Foo3barEii", "Foo::bar"),
        ("_ZN1AC2Ev", "A::A"),
        ("_ZN1AD1Ev", "A::~A"),
        ("_ZNK1AltERKS_", "A::operator<"),
        ("_ZN1AixEi", "A::operator[]"),
        ("_ZN2ns1AIiE1fEi", "ns::A::f"),
        ("_ZN12_GLOBAL__N_13fooEv", "foo"),
        ("_ZN1A1fB5cxx11Ev", "A::f"),
        ("_ZNKSt3__16vectorIiE4sizeEv", "std::__1::vector::size"),
    ],
)
def test_source_names(symbol, name):
    assert source_name(symbol) == name


def test_a_name_that_would_grow_without_end_is_read_at_once():
    # Each type repeats the one before it twice: 2**40 characters if all were spelt out.
    references = ["S_", *(f"S{digit}_" for digit in "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")]
    types = "".join(f"1PI{reference}{reference}E" for reference in references)
    start = time.monotonic()
    assert source_name(f"_Z1f1PIiiE{types}") == "f"
    assert time.monotonic() - start < 1


@given(st.from_regex(r"_Z[NKLSIEC0-9a-zA-Z_]{0,40}", fullmatch=True))
def test_any_symbol_is_survived(symbol):
    assert isinstance(source_name(symbol), str)
