// SPDX-License-Identifier: Apache-2.0
// Checks max_subarray_sum on known answers.

#include <limits.h>
#include <stdio.h>

long max_subarray_sum(const int *values, long count);

static const struct {
    int values[9];
    long count;
    long expected;
} CASES[] = {
    {{5}, 1, 5},
    {{-5}, 1, -5},
    {{0}, 1, 0},
    {{1, 2}, 2, 3},
    {{1, -2}, 2, 1},
    {{-2, 1}, 2, 1},
    {{-3, -1, -2}, 3, -1},
    {{4, -1, 4}, 3, 7},
    {{4, -5, 4}, 3, 4},
    {{0, -1, 0, -1}, 4, 0},
    {{-2, 1, -3, 4, -1, 2, 1, -5, 4}, 9, 6},
    {{8, -19, 5, -4, 20, -7, 3}, 7, 21},
    {{1, 2, 3, 4, 5, 6, 7, 8, 9}, 9, 45},
    {{-9, 3, 3, -1, 6, -20, 10, 1, -2}, 9, 11},
    {{INT_MAX, INT_MAX, -1, INT_MAX}, 4, 6442450940},
    {{INT_MIN, INT_MIN}, 2, INT_MIN},
};

int main(void) {
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        long got = max_subarray_sum(CASES[i].values, CASES[i].count);
        if (got != CASES[i].expected) {
            printf("case %u: the sum is %ld, not %ld\n", i, got, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
