// SPDX-License-Identifier: Apache-2.0
// Checks digit_sum on known answers.

#include <limits.h>
#include <stdio.h>

int digit_sum(long value);

static const struct {
    long value;
    int expected;
} CASES[] = {
    {0, 0},
    {7, 7},
    {10, 1},
    {99, 18},
    {-99, 18},
    {12345, 15},
    {-405, 9},
    {1000000000, 1},
    {999999999999, 108},
    {20202020202, 12},
    {LONG_MAX, 88},
    {LONG_MIN, 89},
    {-1, 1},
    {123456789012345678, 81},
};

int main(void) {
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        int got = digit_sum(CASES[i].value);
        if (got != CASES[i].expected) {
            printf("digit_sum(%ld) = %d, not %d\n", CASES[i].value, got, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
