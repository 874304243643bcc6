// SPDX-License-Identifier: Apache-2.0
// Checks prime_sieve_count on known answers.

#include <stdio.h>

long prime_sieve_count(long limit);

static const struct {
    long limit;
    long expected;
} CASES[] = {
    {-5, 0},
    {0, 0},
    {1, 0},
    {2, 1},
    {3, 2},
    {4, 2},
    {10, 4},
    {29, 10},
    {63, 18},
    {64, 18},
    {65, 18},
    {100, 25},
    {127, 31},
    {128, 31},
    {1000, 168},
    {7919, 1000},
    {10000, 1229},
    {100000, 9592},
    {1000000, 78498},
};

int main(void) {
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        long got = prime_sieve_count(CASES[i].limit);
        if (got != CASES[i].expected) {
            printf("prime_sieve_count(%ld) = %ld, not %ld\n",
                   CASES[i].limit, got, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
