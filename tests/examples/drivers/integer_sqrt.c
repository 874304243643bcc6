// SPDX-License-Identifier: Apache-2.0
// Checks integer_sqrt on known answers.

#include <stdio.h>

unsigned long integer_sqrt(unsigned long n);

static const struct {
    unsigned long n;
    unsigned long expected;
} CASES[] = {
    {0UL, 0UL},
    {1UL, 1UL},
    {2UL, 1UL},
    {3UL, 1UL},
    {4UL, 2UL},
    {8UL, 2UL},
    {9UL, 3UL},
    {15UL, 3UL},
    {16UL, 4UL},
    {99UL, 9UL},
    {100UL, 10UL},
    {101UL, 10UL},
    {1000000UL, 1000UL},
    {4294967295UL, 65535UL},
    {4294967296UL, 65536UL},
    {999999999999999999UL, 999999999UL},
    {4503599627370495UL, 67108863UL},
    {4611686022722355200UL, 2147483648UL},
    {4611686022722355201UL, 2147483649UL},
    {4503599761588224UL, 67108864UL},
    {4503599761588223UL, 67108864UL},
    {9223372036854775808UL, 3037000499UL},
    {18446744065119617024UL, 4294967294UL},
    {18446744065119617025UL, 4294967295UL},
    {18446744073709551615UL, 4294967295UL},
};

int main(void) {
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        unsigned long got = integer_sqrt(CASES[i].n);
        if (got != CASES[i].expected) {
            printf("integer_sqrt(%lu) = %lu, not %lu\n", CASES[i].n, got, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
