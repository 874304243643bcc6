// SPDX-License-Identifier: Apache-2.0
// Euler's linear sieve: every composite is crossed out once, by its least prime factor.

#include <vector>

/// Counts primes in the closed range from 2 to limit; there are none if the limit is below 2.
extern "C" long prime_sieve_count(long limit) {
    if (limit < 2) {
        return 0;
    }
    std::vector<long> least_factor(static_cast<std::size_t>(limit) + 1, 0);
    std::vector<long> primes;
    for (long number = 2; number <= limit; ++number) {
        if (least_factor[number] == 0) {
            least_factor[number] = number;
            primes.push_back(number);
        }
        for (long prime : primes) {
            if (prime > least_factor[number] || prime > limit / number) {
                break;
            }
            least_factor[prime * number] = prime;
        }
    }
    return static_cast<long>(primes.size());
}
