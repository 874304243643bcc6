import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from static_analysis.words.constants import number_token


@pytest.mark.parametrize(
    ("lexeme", "token"),
    [
        ("-1", "#-1"),
        ("340282366920938463463374607431768211456", "#340282366920938463463374607431768211456"),
        ("1.000000e+00", "#1.0"),
        ("-0.000000e+00", "#-0.0"),
        ("0x3FB999999999999A", "#0.1"),
        ("0x3FB99999A0000000", "#0.10000000149011612"),
        ("0x7FF0000000000000", "#inf"),
        ("0xFFF0000000000000", "#-inf"),
        ("0x7FF8000000000000", "#nan"),
        ("0x7FF8000000000001", "#0x7FF8000000000001"),
        ("0xFFF8000000000000", "#0xFFF8000000000000"),
        ("0xH3C00", "#1.0"),
        ("0xH7E00", "#0xH7E00"),
        ("0xR3FC0", "#1.5"),
        ("0xK3FFF8000000000000000", "#1.0"),
        ("0xKC0008000000000000000", "#-2.0"),
        ("0xK00000000000000000000", "#0.0"),
        ("0xK3FFFCCCCCCCCCCCCCCCD", "#0xK3FFFCCCCCCCCCCCCCCCD"),
        ("0xK7FFF8000000000000000", "#0xK7FFF8000000000000000"),
        ("0xL00000000000000003FFF000000000000", "#1.0"),
        ("0xL00000000000000013FFF000000000000", "#0xL00000000000000013FFF000000000000"),
        ("0xM3FF00000000000000000000000000000", "#1.0"),
        ("0xM3FF00000000000003C90000000000000", "#0xM3FF00000000000003C90000000000000"),
    ],
)
def test_each_form_of_number(lexeme, token):
    assert number_token(lexeme) == token


@given(st.floats())
def test_doubles_come_back_bit_for_bit(value):
    bits = struct.unpack("<Q", struct.pack("<d", value))[0]
    token = number_token(f"0x{bits:016X}")[1:]
    back = (
        struct.pack("<d", float(token))
        if "x" not in token
        else int(token, 16).to_bytes(8, "little")
    )
    assert back == struct.pack("<d", value)
    if not math.isnan(value):
        assert len(token) <= 24


@given(st.integers(min_value=0, max_value=2**80 - 1), st.integers(min_value=0, max_value=2**80 - 1))
def test_different_long_doubles_get_different_tokens(first, second):
    tokens = {number_token(f"0xK{bits:020X}") for bits in (first, second)}
    assert len(tokens) == len({first, second})
