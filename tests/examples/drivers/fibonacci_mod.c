// SPDX-License-Identifier: Apache-2.0
// Checks fibonacci_mod on known answers.

#include <stdio.h>

unsigned long fibonacci_mod(unsigned long n, unsigned long modulus);

static const struct {
    unsigned long n;
    unsigned long modulus;
    unsigned long expected;
} CASES[] = {
    {0UL, 10UL, 0UL},
    {1UL, 10UL, 1UL},
    {2UL, 10UL, 1UL},
    {10UL, 1000UL, 55UL},
    {7UL, 13UL, 0UL},
    {60UL, 10UL, 0UL},
    {61UL, 10UL, 1UL},
    {12UL, 144UL, 0UL},
    {5UL, 1UL, 0UL},
    {93UL, 1000000007UL, 720754435UL},
    {100UL, 2147483648UL, 1167376323UL},
    {1000UL, 2147483647UL, 1266365735UL},
    {123456UL, 1000UL, 392UL},
    {300000UL, 998244353UL, 109228308UL},
    {99999UL, 2UL, 0UL},
};

int main(void) {
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        unsigned long got = fibonacci_mod(CASES[i].n, CASES[i].modulus);
        if (got != CASES[i].expected) {
            printf("fibonacci_mod(%lu, %lu) = %lu, not %lu\n",
                   CASES[i].n, CASES[i].modulus, got, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
