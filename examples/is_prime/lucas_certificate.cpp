// SPDX-License-Identifier: Apache-2.0
// Lucas's converse of Fermat's theorem: n is prime if some residue has the order n - 1.

#include <vector>

/// Finds the distinct prime factors of a positive number.
static std::vector<unsigned long> prime_factors(unsigned long number) {
    std::vector<unsigned long> factors;
    for (unsigned long p = 2; p * p <= number; ++p) {
        if (number % p == 0) {
            factors.push_back(p);
            do {
                number /= p;
            } while (number % p == 0);
        }
    }
    if (number > 1) {
        factors.push_back(number);
    }
    return factors;
}

/// Computes base^exponent modulo n by recursion on the exponent.
static unsigned long power(unsigned long base, unsigned long exponent, unsigned long n) {
    if (exponent == 0) {
        return 1;
    }
    const unsigned long root = power(base, exponent / 2, n);
    const unsigned long square = root * root % n;
    return exponent % 2 ? square * base % n : square;
}

/// Checks that none of the proper divisors (n - 1) / p of the group order sends the base to one.
static bool has_full_order(unsigned long base, unsigned long n,
                           const std::vector<unsigned long> &factors) {
    for (unsigned long p : factors) {
        if (power(base, (n - 1) / p, n) == 1) {
            return false;
        }
    }
    return true;
}

/// Tests a number below 2^32 for primality and returns 1 or 0.
///
/// Bases are tried in turn until one fails Fermat's congruence, which every composite number has
/// below its square root, or generates all residues, which only happens modulo a prime.
extern "C" int is_prime(unsigned long n) {
    if (n <= 3) {
        return n >= 2;
    }
    const auto factors = prime_factors(n - 1);
    for (unsigned long base = 2;; ++base) {
        if (power(base, n - 1, n) != 1) {
            return 0;
        }
        if (has_full_order(base, n, factors)) {
            return 1;
        }
    }
}
