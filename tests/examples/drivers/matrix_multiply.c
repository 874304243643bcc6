// SPDX-License-Identifier: Apache-2.0
// Checks matrix_multiply on known products.

#include <stdio.h>

void matrix_multiply(const long *left, const long *right, long *product, long rows, long inner,
                     long columns);

enum { LARGEST = 12, SENTINEL = -777 };

static const struct {
    long rows;
    long inner;
    long columns;
    long left[LARGEST];
    long right[LARGEST];
    long expected[LARGEST];
} CASES[] = {
    {1, 1, 1, {6}, {-7}, {-42}},
    {1, 3, 1, {1, 2, 3}, {4, 5, 6}, {32}},
    {3, 1, 3, {1, 2, 3}, {4, 5, 6}, {4, 5, 6, 8, 10, 12, 12, 15, 18}},
    {1, 3, 2, {2, 0, 1}, {1, 2, 3, 4, 5, 6}, {7, 10}},
    {2, 2, 2, {1, 0, 0, 1}, {3, 4, 5, 6}, {3, 4, 5, 6}},
    {2, 2, 2, {1, 1, 1, 0}, {5, 3, 3, 2}, {8, 5, 5, 3}},
    {2, 2, 2, {0, 0, 0, 0}, {1, 2, 3, 4}, {0, 0, 0, 0}},
    {2, 2, 2, {1000000, -1000000, 3000000, 2}, {1000000, 7, 1000000, -8},
     {0, 15000000, 3000002000000, 20999984}},
    {3, 3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9}, {9, 8, 7, 6, 5, 4, 3, 2, 1},
     {30, 24, 18, 84, 69, 54, 138, 114, 90}},
    {3, 2, 4, {1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6, 7, 8},
     {11, 14, 17, 20, 23, 30, 37, 44, 35, 46, 57, 68}},
    {3, 4, 2, {1, -2, 3, 0, 0, 4, -1, 2, 5, 0, 2, -3}, {2, 1, 0, -1, 3, 4, 1, -2},
     {11, 15, -1, -12, 13, 19}},
    {1, 5, 1, {1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}, {55}},
};

int main(void) {
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        long product[LARGEST + 1];
        for (int j = 0; j <= LARGEST; ++j) {
            product[j] = SENTINEL;
        }
        matrix_multiply(CASES[i].left, CASES[i].right, product, CASES[i].rows, CASES[i].inner,
                        CASES[i].columns);
        for (long j = 0; j <= LARGEST; ++j) {
            int inside = j < CASES[i].rows * CASES[i].columns;
            long expected = inside ? CASES[i].expected[j] : SENTINEL;
            if (product[j] != expected) {
                printf("case %u: element %ld is %ld, not %ld\n", i, j, product[j], expected);
                return 1;
            }
        }
    }
    return 0;
}
