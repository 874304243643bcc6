// SPDX-License-Identifier: Apache-2.0
// Checks matrix_determinant on known answers.

#include <stdio.h>

long matrix_determinant(const long *matrix, long size);

static const struct {
    long size;
    long matrix[64];
    long expected;
} CASES[] = {
    {0, {0}, 1},
    {1, {-7}, -7},
    {2, {1, 2, 3, 4}, -2},
    {2, {0, 1, 1, 0}, -1},
    {2, {2, 4, 1, 2}, 0},
    {3, {1, 0, 0, 0, 1, 0, 0, 0, 1}, 1},
    {3, {6, 1, 1, 4, -2, 5, 2, 8, 7}, -306},
    {3, {1, 2, 3, 4, 5, 6, 7, 8, 9}, 0},
    {3, {0, 0, 2, 0, 3, 0, 5, 0, 0}, -30},
    {4, {1, 0, 2, -1, 3, 0, 0, 5, 2, 1, 4, -3, 1, 0, 5, 0}, 30},
    {4, {0, 1, 2, 3, 1, 0, 1, 2, 2, 1, 0, 1, 3, 2, 1, 0}, -12},
    {5, {1, 1, 1, 1, 1, 1, 2, 4, 8, 16, 1, 3, 9, 27, 81, 1, 4, 16, 64, 256, 1, 5, 25, 125, 625},
     288},
    {6, {2, -1, 0, 0, 0, 0, -1, 2, -1, 0, 0, 0,
         0, -1, 2, -1, 0, 0, 0, 0, -1, 2, -1, 0,
         0, 0, 0, -1, 2, -1, 0, 0, 0, 0, -1, 2},
     7},
    {8, {[7] = 1, [14] = 2, [21] = 3, [28] = 4, [35] = 5, [42] = 6, [49] = 7, [56] = 8}, 40320},
    {8, {[0] = 2, [9] = 2, [18] = 2, [27] = 2, [36] = 2, [45] = 2, [54] = 2, [7] = 5}, 0},
};

int main(void) {
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        long got = matrix_determinant(CASES[i].matrix, CASES[i].size);
        if (got != CASES[i].expected) {
            printf("case %u: the determinant is %ld, not %ld\n", i, got, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
