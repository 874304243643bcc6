// SPDX-License-Identifier: Apache-2.0
// Doubles the index at every step with the identities for F(2k) and F(2k + 1).

/** Two neighbours of the sequence, F(k) and F(k + 1). */
struct pair {
    unsigned long here;
    unsigned long after;
};

/** Computes F(n) and F(n + 1) from the pair at half the index. */
static struct pair neighbours(unsigned long n, unsigned long modulus) {
    if (n == 0) {
        struct pair start = {0, 1 % modulus};
        return start;
    }
    struct pair half = neighbours(n / 2, modulus);
    unsigned long before_doubled = (2 * half.after + modulus - half.here) % modulus;
    unsigned long even = half.here * before_doubled % modulus;
    unsigned long odd = (half.here * half.here + half.after * half.after) % modulus;
    struct pair result = {even, odd};
    if (n % 2 != 0) {
        result.here = odd;
        result.after = (even + odd) % modulus;
    }
    return result;
}

/** Computes the Fibonacci number with index n by its residue; the modulus is at most 2^31. */
unsigned long fibonacci_mod(unsigned long n, unsigned long modulus) {
    return neighbours(n, modulus).here;
}
