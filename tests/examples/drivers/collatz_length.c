// SPDX-License-Identifier: Apache-2.0
// Checks collatz_length on known answers.

#include <stdio.h>

long collatz_length(unsigned long start);

static const struct {
    unsigned long start;
    long expected;
} CASES[] = {
    {0UL, -1},
    {1UL, 0},
    {2UL, 1},
    {3UL, 7},
    {6UL, 8},
    {7UL, 16},
    {9UL, 19},
    {16UL, 4},
    {27UL, 111},
    {97UL, 118},
    {871UL, 178},
    {6171UL, 261},
    {77031UL, 350},
    {837799UL, 524},
    {1099511627776UL, 40},
    {9223372036854775808UL, 63},
    {63728127UL, 949},
    {9780657630UL, 1132},
};

int main(void) {
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        long got = collatz_length(CASES[i].start);
        if (got != CASES[i].expected) {
            printf("collatz_length(%lu) = %ld, not %ld\n", CASES[i].start, got, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
