// SPDX-License-Identifier: Apache-2.0
// Walks along the sequence with a window of two neighbours.

/**
 * Returns the n-th Fibonacci number modulo `modulus`, counting from F(0) = 0 and F(1) = 1.
 *
 * The modulus lies between 1 and 2^31. The work grows linearly with n.
 */
unsigned long fibonacci_mod(unsigned long n, unsigned long modulus) {
    unsigned long current = 0;
    unsigned long next = 1 % modulus;
    for (unsigned long i = 0; i < n; ++i) {
        unsigned long sum = current + next;
        if (sum >= modulus) {
            sum -= modulus;
        }
        current = next;
        next = sum;
    }
    return current;
}
