// SPDX-License-Identifier: Apache-2.0
// Checks integer_power_mod on known answers.

#include <stdio.h>

unsigned long integer_power_mod(unsigned long base, unsigned long exponent, unsigned long modulus);

static const struct {
    unsigned long base;
    unsigned long exponent;
    unsigned long modulus;
    unsigned long expected;
} CASES[] = {
    {2UL, 10UL, 1000UL, 24UL},
    {3UL, 0UL, 7UL, 1UL},
    {0UL, 0UL, 5UL, 1UL},
    {0UL, 0UL, 1UL, 0UL},
    {6UL, 5UL, 1UL, 0UL},
    {0UL, 9UL, 13UL, 0UL},
    {7UL, 1UL, 5UL, 2UL},
    {5UL, 117UL, 19UL, 1UL},
    {2UL, 64UL, 4294967296UL, 0UL},
    {123456789UL, 987654321UL, 1000000007UL, 652541198UL},
    {18446744073709551615UL, 18446744073709551615UL, 4294967291UL, 1556015985UL},
    {10UL, 18446744073709551615UL, 4294967296UL, 0UL},
    {3UL, 9223372036854775808UL, 65537UL, 1UL},
    {4294967295UL, 2UL, 4294967296UL, 1UL},
};

int main(void) {
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        unsigned long got = integer_power_mod(CASES[i].base, CASES[i].exponent, CASES[i].modulus);
        if (got != CASES[i].expected) {
            printf("integer_power_mod(%lu, %lu, %lu) = %lu, not %lu\n",
                   CASES[i].base, CASES[i].exponent, CASES[i].modulus, got, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
