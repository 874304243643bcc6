// SPDX-License-Identifier: Apache-2.0
// Checks kth_smallest on short arrays and on every rank of a shuffled one.

#include <limits.h>
#include <stdio.h>

int kth_smallest(const int *values, long count, long k);

enum { LONGEST = 7, SHUFFLED = 101 };

static const struct {
    int values[LONGEST];
    long count;
    long k;
    int expected;
} CASES[] = {
    {{42}, 1, 0, 42},
    {{2, 1}, 2, 0, 1},
    {{2, 1}, 2, 1, 2},
    {{3, 3, 3}, 3, 1, 3},
    {{9, -4, 0}, 3, 0, -4},
    {{9, -4, 0}, 3, 1, 0},
    {{9, -4, 0}, 3, 2, 9},
    {{1, 2, 3, 4, 5, 6, 7}, 7, 3, 4},
    {{7, 6, 5, 4, 3, 2, 1}, 7, 5, 6},
    {{5, 1, 5, 1, 5, 1, 5}, 7, 2, 1},
    {{5, 1, 5, 1, 5, 1, 5}, 7, 3, 5},
    {{INT_MAX, INT_MIN, 0, -1, 1}, 5, 0, INT_MIN},
    {{INT_MAX, INT_MIN, 0, -1, 1}, 5, 1, -1},
    {{INT_MAX, INT_MIN, 0, -1, 1}, 5, 4, INT_MAX},
    {{256, 255, 65536, -256, -255}, 5, 2, 255},
};

/** Tries all ranks of an array that holds each number from -50 to 50 once. */
static int finds_every_rank(void) {
    int values[SHUFFLED];
    for (int i = 0; i < SHUFFLED; ++i) {
        values[i] = i * 37 % SHUFFLED - 50;
    }
    for (int k = 0; k < SHUFFLED; ++k) {
        int got = kth_smallest(values, SHUFFLED, k);
        if (got != k - 50) {
            printf("shuffled numbers: rank %d is %d, not %d\n", k, got, k - 50);
            return 0;
        }
    }
    return 1;
}

int main(void) {
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        int got = kth_smallest(CASES[i].values, CASES[i].count, CASES[i].k);
        if (got != CASES[i].expected) {
            printf("case %u: rank %ld is %d, not %d\n", i, CASES[i].k, got, CASES[i].expected);
            return 1;
        }
    }
    return finds_every_rank() ? 0 : 1;
}
