// SPDX-License-Identifier: Apache-2.0
// The sieve of Eratosthenes with one byte for every number.

#include <stdlib.h>

/**
 * Counts the primes from 2 up to and including `limit`.
 *
 * The answer is -1 when there is no memory for the flags.
 */
long prime_sieve_count(long limit) {
    if (limit < 2) {
        return 0;
    }
    char *crossed_out = calloc((size_t)limit + 1, 1);
    if (crossed_out == NULL) {
        return -1;
    }
    long count = 0;
    for (long number = 2; number <= limit; ++number) {
        if (crossed_out[number]) {
            continue;
        }
        ++count;
        if (number <= limit / number) {
            for (long multiple = number * number; multiple <= limit; multiple += number) {
                crossed_out[multiple] = 1;
            }
        }
    }
    free(crossed_out);
    return count;
}
