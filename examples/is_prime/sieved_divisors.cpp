// SPDX-License-Identifier: Apache-2.0
// Divides by primes only: a sieve up to the square root supplies them.

#include <algorithm>
#include <vector>

/// Lists in ascending order the primes p with p * p <= n.
static std::vector<unsigned long> primes_up_to_root(unsigned long n) {
    unsigned long root = 1;
    while ((root + 1) * (root + 1) <= n) {
        ++root;
    }
    std::vector<bool> composite(root + 1, false);
    std::vector<unsigned long> primes;
    for (unsigned long candidate = 2; candidate <= root; ++candidate) {
        if (composite[candidate]) {
            continue;
        }
        primes.push_back(candidate);
        for (unsigned long m = candidate * candidate; m <= root; m += candidate) {
            composite[m] = true;
        }
    }
    return primes;
}

/// Returns 1 if n, which must be below 2^32, is a prime number, and 0 if it is not.
extern "C" int is_prime(unsigned long n) {
    if (n < 2) {
        return 0;
    }
    const auto primes = primes_up_to_root(n);
    return std::none_of(primes.begin(), primes.end(),
                        [n](unsigned long prime) { return n % prime == 0; });
}
