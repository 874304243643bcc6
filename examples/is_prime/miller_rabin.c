// SPDX-License-Identifier: Apache-2.0
// The strong probable-prime test of Miller and Rabin, with bases that make it exact below 2^32.

/** Raises a base to a power modulo n, where n is below 2^32. */
static unsigned long power_mod(unsigned long base, unsigned long exponent, unsigned long n) {
    unsigned long power = 1;
    for (base %= n; exponent != 0; exponent >>= 1) {
        if (exponent & 1) {
            power = power * base % n;
        }
        base = base * base % n;
    }
    return power;
}

/**
 * Says whether a base proves n = odd * 2^twos + 1 to be composite.
 *
 * For a prime n the sequence base^odd, base^(2 odd), ... starts with 1 or meets n - 1.
 */
static int is_witness(unsigned long base, unsigned long odd, int twos, unsigned long n) {
    if (base % n == 0) {
        return 0;
    }
    unsigned long x = power_mod(base, odd, n);
    if (x == 1 || x == n - 1) {
        return 0;
    }
    for (int i = 1; i < twos; ++i) {
        x = x * x % n;
        if (x == n - 1) {
            return 0;
        }
    }
    return 1;
}

/** Decides primality of any n below 2^32; the answer is 1 for primes and 0 otherwise. */
int is_prime(unsigned long n) {
    static const unsigned long bases[] = {2, 7, 61};

    if (n < 2 || n % 2 == 0) {
        return n == 2;
    }
    unsigned long odd = n - 1;
    int twos = 0;
    while (odd % 2 == 0) {
        odd /= 2;
        ++twos;
    }
    for (unsigned i = 0; i < sizeof bases / sizeof bases[0]; ++i) {
        if (is_witness(bases[i], odd, twos, n)) {
            return 0;
        }
    }
    return 1;
}
