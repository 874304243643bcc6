// SPDX-License-Identifier: Apache-2.0
// Checks population_count on known answers.

#include <stdio.h>

int population_count(unsigned long word);

static const struct {
    unsigned long word;
    int expected;
} CASES[] = {
    {0UL, 0},
    {1UL, 1},
    {2UL, 1},
    {3UL, 2},
    {255UL, 8},
    {256UL, 1},
    {61680UL, 8},
    {6148914691236517205UL, 32},
    {12297829382473034410UL, 32},
    {9223372036854775809UL, 2},
    {9223372036854775808UL, 1},
    {9223372036854775807UL, 63},
    {18446744073709551615UL, 64},
    {1095216660735UL, 16},
    {81985529216486895UL, 32},
};

int main(void) {
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        int got = population_count(CASES[i].word);
        if (got != CASES[i].expected) {
            printf("population_count(%lu) = %d, not %d\n", CASES[i].word, got, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
