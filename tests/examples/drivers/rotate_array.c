// SPDX-License-Identifier: Apache-2.0
// Checks rotate_array on known answers.

#include <stdio.h>

void rotate_array(int *values, long count, long shift);

enum { LONGEST = 7 };

static const struct {
    int values[LONGEST];
    long count;
    long shift;
    int expected[LONGEST];
} CASES[] = {
    {{1}, 0, 3, {1}},
    {{1}, 1, 5, {1}},
    {{1, 2}, 2, 1, {2, 1}},
    {{1, 2}, 2, -1, {2, 1}},
    {{1, 2, 3}, 3, 0, {1, 2, 3}},
    {{1, 2, 3}, 3, 3, {1, 2, 3}},
    {{1, 2, 3, 4, 5}, 5, 2, {3, 4, 5, 1, 2}},
    {{1, 2, 3, 4, 5}, 5, 4, {5, 1, 2, 3, 4}},
    {{1, 2, 3, 4, 5}, 5, -2, {4, 5, 1, 2, 3}},
    {{1, 2, 3, 4, 5}, 5, 12, {3, 4, 5, 1, 2}},
    {{1, 2, 3, 4, 5}, 5, -11, {5, 1, 2, 3, 4}},
    {{1, 2, 3, 4, 5, 6}, 6, 2, {3, 4, 5, 6, 1, 2}},
    {{1, 2, 3, 4, 5, 6}, 6, 3, {4, 5, 6, 1, 2, 3}},
    {{1, 2, 3, 4, 5, 6}, 6, 4, {5, 6, 1, 2, 3, 4}},
    {{9, 9, 8, 0, 7, 0, 1}, 7, 3, {0, 7, 0, 1, 9, 9, 8}},
    {{1, 2, 3, 4, 5, 6, 7}, 4, 1, {2, 3, 4, 1, 5, 6, 7}},
};

int main(void) {
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        int values[LONGEST];
        for (int j = 0; j < LONGEST; ++j) {
            values[j] = CASES[i].values[j];
        }
        rotate_array(values, CASES[i].count, CASES[i].shift);
        for (int j = 0; j < LONGEST; ++j) {
            if (values[j] != CASES[i].expected[j]) {
                printf("case %u: element %d is %d, not %d\n", i, j, values[j],
                       CASES[i].expected[j]);
                return 1;
            }
        }
    }
    return 0;
}
