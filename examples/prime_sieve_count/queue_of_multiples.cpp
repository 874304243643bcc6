// SPDX-License-Identifier: Apache-2.0
// An incremental sieve: a priority queue knows the next multiple of every prime found so far.

#include <functional>
#include <queue>
#include <utility>
#include <vector>

/// A composite number on its way through the multiples of a prime, and that prime.
using Multiple = std::pair<long, long>;
using MultipleQueue = std::priority_queue<Multiple, std::vector<Multiple>, std::greater<>>;

/// Moves all multiples equal to a number on by their primes, and says whether there were any.
static bool advance_past(long number, MultipleQueue &multiples) {
    bool hit = false;
    while (!multiples.empty() && multiples.top().first == number) {
        const long prime = multiples.top().second;
        multiples.pop();
        multiples.emplace(number + prime, prime);
        hit = true;
    }
    return hit;
}

/// Finds how many prime numbers are less than or equal to limit.
extern "C" long prime_sieve_count(long limit) {
    MultipleQueue multiples;
    long count = 0;
    for (long number = 2; number <= limit; ++number) {
        if (advance_past(number, multiples)) {
            continue;
        }
        ++count;
        if (number <= limit / number) {
            multiples.emplace(number * number, number);
        }
    }
    return count;
}
