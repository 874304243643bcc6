// SPDX-License-Identifier: Apache-2.0
// Trial division by 2, 3 and the numbers next to multiples of six.

/**
 * Tells whether a number below 2^32 is prime: 1 if it is, 0 if not.
 *
 * Every prime above three leaves the remainder 1 or 5 modulo six, so only such divisors up to
 * the square root are tried.
 */
int is_prime(unsigned long n) {
    if (n < 4) {
        return n >= 2;
    }
    if (n % 2 == 0 || n % 3 == 0) {
        return 0;
    }
    for (unsigned long divisor = 5; divisor * divisor <= n; divisor += 6) {
        if (n % divisor == 0 || n % (divisor + 2) == 0) {
            return 0;
        }
    }
    return 1;
}
