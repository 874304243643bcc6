// SPDX-License-Identifier: Apache-2.0
// Checks two_sum_exists on known answers.

#include <limits.h>
#include <stdio.h>

int two_sum_exists(const int *values, long count, int target);

static const struct {
    int values[6];
    long count;
    int target;
    int expected;
} CASES[] = {
    {{0}, 0, 0, 0},
    {{4}, 1, 8, 0},
    {{4, 4}, 2, 8, 1},
    {{4, 5}, 2, 8, 0},
    {{3, 8, 1, 6}, 4, 9, 1},
    {{3, 8, 1, 6}, 4, 16, 0},
    {{3, 8, 1, 6}, 4, 6, 0},
    {{3, 8, 1, 6}, 4, 4, 1},
    {{0, -1, 2, -3, 1}, 5, -2, 1},
    {{0, -1, 2, -3, 1}, 5, 4, 0},
    {{5, 7, 9, 11, 13, 15}, 6, 28, 1},
    {{5, 7, 9, 11, 13, 15}, 6, 27, 0},
    {{7, 0, 0}, 3, 0, 1},
    {{INT_MAX, 1, 5}, 3, INT_MIN, 0},
    {{INT_MIN, 10, INT_MIN}, 3, 0, 0},
    {{INT_MAX, INT_MIN, 3}, 3, -1, 1},
};

int main(void) {
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        int got = two_sum_exists(CASES[i].values, CASES[i].count, CASES[i].target);
        if (got != CASES[i].expected) {
            printf("case %u: the answer is %d, not %d\n", i, got, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
