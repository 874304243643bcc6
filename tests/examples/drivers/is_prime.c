// SPDX-License-Identifier: Apache-2.0
// Checks is_prime on known answers.

#include <stdio.h>

int is_prime(unsigned long n);

static const struct {
    unsigned long n;
    int expected;
} CASES[] = {
    {0UL, 0},
    {1UL, 0},
    {2UL, 1},
    {3UL, 1},
    {4UL, 0},
    {5UL, 1},
    {9UL, 0},
    {25UL, 0},
    {49UL, 0},
    {61UL, 1},
    {121UL, 0},
    {169UL, 0},
    {561UL, 0},
    {2047UL, 0},
    {3277UL, 0},
    {3721UL, 0},
    {7919UL, 1},
    {29341UL, 0},
    {65537UL, 1},
    {1194649UL, 0},
    {1373653UL, 0},
    {2147483647UL, 1},
    {4293001441UL, 0},
    {4294049777UL, 0},
    {4294967291UL, 1},
    {4294967295UL, 0},
};

int main(void) {
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        int got = is_prime(CASES[i].n);
        if (got != CASES[i].expected) {
            printf("is_prime(%lu) = %d, not %d\n", CASES[i].n, got, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
