// SPDX-License-Identifier: Apache-2.0
// Stein's binary algorithm: only halving, comparing and subtracting.

/** Divides by two until the number is odd. The number must not be zero. */
static unsigned long odd_part(unsigned long number) {
    while ((number & 1) == 0) {
        number >>= 1;
    }
    return number;
}

/**
 * Finds the largest integer that divides both arguments.
 *
 * Factors of two common to both are set aside first; what is left of either may then lose its
 * own factors of two freely. Neither argument may be LONG_MIN.
 */
long gcd(long a, long b) {
    unsigned long u = (unsigned long)(a < 0 ? -a : a);
    unsigned long v = (unsigned long)(b < 0 ? -b : b);
    if (u == 0 || v == 0) {
        return (long)(u | v);
    }
    int common_twos = 0;
    while (((u | v) & 1) == 0) {
        u >>= 1;
        v >>= 1;
        ++common_twos;
    }
    u = odd_part(u);
    while (v != 0) {
        v = odd_part(v);
        if (u > v) {
            unsigned long swapped = u;
            u = v;
            v = swapped;
        }
        v -= u;
    }
    return (long)(u << common_twos);
}
