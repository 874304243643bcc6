// SPDX-License-Identifier: Apache-2.0
// Newton's iteration in integers, from above.

/** Returns a power of two that is at least the square root of a positive number. */
static unsigned long upper_estimate(unsigned long n) {
    unsigned long estimate = 1;
    while (n != 0) {
        n >>= 2;
        estimate <<= 1;
    }
    return estimate;
}

/**
 * Computes the square root of n, rounded down.
 *
 * Starting above the root, the iterates fall until they reach the answer, and the first one that
 * does not fall tells that the one before it was the answer.
 */
unsigned long integer_sqrt(unsigned long n) {
    if (n == 0) {
        return 0;
    }
    unsigned long root = upper_estimate(n);
    for (;;) {
        unsigned long next = (root + n / root) / 2;
        if (next >= root) {
            return root;
        }
        root = next;
    }
}
