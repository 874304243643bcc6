"""Numbers as tokens: exact, and as short as exactness allows.

LLVM prints a float in decimal when six digits are exact and else bit by bit, in a form for each
type (Language Reference, "Simple Constants"). Here all forms become the shortest decimal that
gives the same value back, or stay bit by bit where no double has the value.
"""

import math
import struct

_LAYOUTS = {"K": (15, 63), "L": (15, 112)}  # exponent and fraction bits; K shows its leading 1


def number_token(lexeme: str) -> str:
    """Return the token of a number: ``#-1``, ``#0.5``, ``#1e-07``, ``#nan``, ``#0xK…``.

    No digit that matters is lost: two tokens are equal only if the values are.
    """
    if lexeme.startswith("0x"):
        return "#" + _bits_token(lexeme[2:], lexeme)
    if any(mark in lexeme for mark in ".eE"):
        return "#" + repr(float(lexeme))
    return "#" + lexeme.lstrip("+")


def _bits_token(digits: str, lexeme: str) -> str:
    kind = digits[0]
    if kind in "KLM":
        value = _wide(kind, digits[1:])
    elif kind == "H":
        value = _from_bytes("<e", int(digits[1:], 16), 2)
    elif kind == "R":
        value = _from_bytes("<f", int(digits[1:], 16) << 16, 4)
    else:
        value = _from_bytes("<d", int(digits, 16), 8)
    return lexeme if value is None else repr(value)


def _from_bytes(layout: str, bits: int, size: int) -> float | None:
    """Read an IEEE float; None for a NaN that is not the usual one, whose bits would be lost."""
    if bits >> (8 * size):
        return None
    raw = bits.to_bytes(size, "little")
    value: float = struct.unpack(layout, raw)[0]
    if not math.isnan(value) or (layout == "<d" and struct.pack("<d", math.nan) == raw):
        return value
    return None


def _wide(kind: str, digits: str) -> float | None:
    """Return the value of an 80- or 128-bit float if a double has it, else None."""
    if kind == "K":
        bits = int(digits, 16)
    else:  # the low 64 bits are printed first
        digits = digits.rjust(32, "0")
        bits = int(digits[16:] + digits[:16], 16)
    if kind == "M":
        return _from_bytes("<d", bits & (1 << 64) - 1, 8) if bits >> 64 == 0 else None
    exponent_bits, fraction_bits = _LAYOUTS[kind]
    stored = fraction_bits + (kind == "K")
    exponent = bits >> stored & (1 << exponent_bits) - 1
    significand = bits & (1 << stored) - 1
    if exponent == 0 and significand == 0:
        return -0.0 if bits >> stored + exponent_bits else 0.0
    if kind == "L":
        significand |= 1 << fraction_bits
    if exponent in (0, (1 << exponent_bits) - 1) or not significand >> fraction_bits:
        return None
    return _exact_double(
        bits >> stored + exponent_bits, significand, exponent - 16383 - fraction_bits
    )


def _exact_double(negative: int, significand: int, exponent: int) -> float | None:
    """Return ±significand · 2^exponent if a double holds it exactly."""
    zeros = (significand & -significand).bit_length() - 1
    significand >>= zeros
    exponent += zeros
    if significand.bit_length() > 53 or exponent < -1074:
        return None
    try:
        value = math.ldexp(significand, exponent)
    except OverflowError:
        return None
    return -value if negative else value
