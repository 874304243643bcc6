// SPDX-License-Identifier: Apache-2.0
// Checks sort_ascending on short arrays with known order and on a long shuffled one.

#include <limits.h>
#include <stdio.h>

void sort_ascending(int *values, long count);

enum { LONGEST = 8, SHUFFLED = 1009 };

static const struct {
    long count;
    int values[LONGEST];
    int expected[LONGEST];
} CASES[] = {
    {0, {0}, {0}},
    {1, {7}, {7}},
    {2, {1, 2}, {1, 2}},
    {2, {2, 1}, {1, 2}},
    {3, {5, 5, 5}, {5, 5, 5}},
    {3, {3, 1, 2}, {1, 2, 3}},
    {4, {4, 3, 2, 1}, {1, 2, 3, 4}},
    {5, {1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}},
    {5, {0, -1, 0, -1, 0}, {-1, -1, 0, 0, 0}},
    {6, {9, -3, 7, -3, 100, 0}, {-3, -3, 0, 7, 9, 100}},
    {7, {1, 1, 1, 0, 1, 1, 1}, {0, 1, 1, 1, 1, 1, 1}},
    {8, {INT_MAX, 0, INT_MIN, 5, -5, INT_MIN, INT_MAX, 1},
     {INT_MIN, INT_MIN, -5, 0, 1, 5, INT_MAX, INT_MAX}},
};

/** Sorts each number below a prime once, in the order of the multiples of another number. */
static int sorts_shuffled_numbers(void) {
    int values[SHUFFLED];
    for (int i = 0; i < SHUFFLED; ++i) {
        values[i] = i * 617 % SHUFFLED;
    }
    sort_ascending(values, SHUFFLED);
    for (int i = 0; i < SHUFFLED; ++i) {
        if (values[i] != i) {
            printf("shuffled numbers: element %d is %d\n", i, values[i]);
            return 0;
        }
    }
    return 1;
}

int main(void) {
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        int values[LONGEST];
        for (int j = 0; j < LONGEST; ++j) {
            values[j] = CASES[i].values[j];
        }
        sort_ascending(values, CASES[i].count);
        for (int j = 0; j < LONGEST; ++j) {
            int expected = j < CASES[i].count ? CASES[i].expected[j] : CASES[i].values[j];
            if (values[j] != expected) {
                printf("case %u: element %d is %d, not %d\n", i, j, values[j], expected);
                return 1;
            }
        }
    }
    return sorts_shuffled_numbers() ? 0 : 1;
}
