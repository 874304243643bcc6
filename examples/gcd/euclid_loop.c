// SPDX-License-Identifier: Apache-2.0
// Euclid's algorithm as a loop of remainders.

/** Returns the magnitude of a value other than LONG_MIN. */
static long magnitude(long value) {
    return value < 0 ? -value : value;
}

/**
 * Returns the greatest common divisor of two integers.
 *
 * Signs do not matter; with one argument zero the answer is the magnitude of the other.
 * LONG_MIN is not allowed, since its magnitude does not fit into a long.
 */
long gcd(long a, long b) {
    long larger = magnitude(a);
    long smaller = magnitude(b);
    while (smaller != 0) {
        long remainder = larger % smaller;
        larger = smaller;
        smaller = remainder;
    }
    return larger;
}
