// SPDX-License-Identifier: Apache-2.0
// Checks insertion_point_range on prefixes of one sorted array.

#include <limits.h>
#include <stdio.h>

long insertion_point_range(const int *values, long count, int wanted);

static const int VALUES[] = {INT_MIN, INT_MIN, -5, -5, -5, 0, 2, 4, 4, 4, 4, 4, 9, 30, INT_MAX};

static const struct {
    long count;
    int wanted;
    long expected;
} CASES[] = {
    {0, 0, 0},
    {1, INT_MIN, 1},
    {1, 3, 0},
    {2, INT_MIN, 2},
    {2, INT_MAX, 0},
    {15, INT_MIN, 2},
    {15, -5, 3},
    {15, -4, 0},
    {15, 0, 1},
    {15, 1, 0},
    {15, 4, 5},
    {15, 9, 1},
    {15, 10, 0},
    {15, INT_MAX, 1},
    {14, INT_MAX, 0},
    {10, 4, 3},
    {8, 4, 1},
    {7, 4, 0},
    {3, -5, 1},
};

int main(void) {
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        long got = insertion_point_range(VALUES, CASES[i].count, CASES[i].wanted);
        if (got != CASES[i].expected) {
            printf("insertion_point_range(VALUES, %ld, %d) = %ld, not %ld\n",
                   CASES[i].count, CASES[i].wanted, got, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
