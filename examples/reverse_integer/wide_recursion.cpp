// SPDX-License-Identifier: Apache-2.0
// A tail recursion with a 64-bit accumulator, whose range is checked once at the end.

#include <limits>

/// Appends the digits of `rest`, the last one first, to the number gathered so far.
static long long append_reversed(long long gathered, int rest) {
    if (rest == 0) {
        return gathered;
    }
    return append_reversed(gathered * 10 + rest % 10, rest / 10);
}

/// Turns the order of the decimal digits round.
///
/// The sign stays in front. Numbers whose reverse is too large for an int give zero.
extern "C" int reverse_integer(int value) {
    using Limits = std::numeric_limits<int>;

    const long long reversed = append_reversed(0, value);
    const bool fits = reversed >= Limits::min() && reversed <= Limits::max();
    return fits ? static_cast<int>(reversed) : 0;
}
