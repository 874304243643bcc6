// SPDX-License-Identifier: Apache-2.0
// Euclid's subtraction, sped up by taking away the largest power-of-two multiple that fits.

#include <utility>

/// Reduces a dividend below a non-zero divisor, as long division on paper does in base two.
static unsigned long subtract_multiples(unsigned long dividend, unsigned long divisor) {
    unsigned long multiple = divisor;
    while (multiple <= dividend / 2) {
        multiple *= 2;
    }
    while (multiple >= divisor) {
        if (dividend >= multiple) {
            dividend -= multiple;
        }
        multiple /= 2;
    }
    return dividend;
}

/// Computes the greatest common divisor without a single general division.
///
/// Both arguments may have any sign but must not be LONG_MIN.
extern "C" long gcd(long a, long b) {
    unsigned long first = static_cast<unsigned long>(a < 0 ? -a : a);
    unsigned long second = static_cast<unsigned long>(b < 0 ? -b : b);
    for (;;) {
        if (first < second) {
            std::swap(first, second);
        }
        if (second == 0) {
            return static_cast<long>(first);
        }
        first = subtract_multiples(first, second);
    }
}
