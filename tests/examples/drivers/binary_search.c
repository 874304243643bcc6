// SPDX-License-Identifier: Apache-2.0
// Checks binary_search on prefixes of one sorted array.

#include <limits.h>
#include <stdio.h>

long binary_search(const int *values, long count, int wanted);

static const int VALUES[] = {INT_MIN, -40, -7, -7, -7, 0, 3, 3, 8, 15, 22, 22, 22, 90, INT_MAX};

static const struct {
    long count;
    int wanted;
    long expected;
} CASES[] = {
    {0, 5, -1},
    {1, INT_MIN, 0},
    {1, 5, -1},
    {2, -40, 1},
    {2, 7, -1},
    {15, INT_MIN, 0},
    {15, -40, 1},
    {15, -7, 2},
    {15, 0, 5},
    {15, 3, 6},
    {15, 8, 8},
    {15, 15, 9},
    {15, 22, 10},
    {15, 90, 13},
    {15, INT_MAX, 14},
    {15, 4, -1},
    {15, -8, -1},
    {15, 91, -1},
    {12, 22, 10},
    {11, 22, 10},
    {10, 22, -1},
    {4, -7, 2},
    {14, INT_MAX, -1},
};

int main(void) {
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        long got = binary_search(VALUES, CASES[i].count, CASES[i].wanted);
        if (got != CASES[i].expected) {
            printf("binary_search(VALUES, %ld, %d) = %ld, not %ld\n",
                   CASES[i].count, CASES[i].wanted, got, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
