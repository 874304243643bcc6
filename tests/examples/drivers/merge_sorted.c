// SPDX-License-Identifier: Apache-2.0
// Checks merge_sorted on known pairs of arrays.

#include <limits.h>
#include <stdio.h>

void merge_sorted(const int *left, long left_count, const int *right, long right_count,
                  int *merged);

enum { LONGEST = 5, SENTINEL = 12345 };

static const struct {
    int left[LONGEST];
    long left_count;
    int right[LONGEST];
    long right_count;
    int expected[2 * LONGEST];
} CASES[] = {
    {{0}, 0, {0}, 0, {0}},
    {{1}, 1, {0}, 0, {1}},
    {{0}, 0, {2}, 1, {2}},
    {{1}, 1, {2}, 1, {1, 2}},
    {{2}, 1, {1}, 1, {1, 2}},
    {{1, 3, 5}, 3, {2, 4, 6}, 3, {1, 2, 3, 4, 5, 6}},
    {{1, 2, 3}, 3, {4, 5}, 2, {1, 2, 3, 4, 5}},
    {{7, 8}, 2, {1, 2, 3, 4, 5}, 5, {1, 2, 3, 4, 5, 7, 8}},
    {{4, 4}, 2, {4, 4, 4}, 3, {4, 4, 4, 4, 4}},
    {{0, 0, 1, 1}, 4, {0, 1, 2}, 3, {0, 0, 0, 1, 1, 1, 2}},
    {{-9, -2, 0, 6, 80}, 5, {-3}, 1, {-9, -3, -2, 0, 6, 80}},
    {{INT_MIN, INT_MAX}, 2, {INT_MIN, 0, INT_MAX}, 3, {INT_MIN, INT_MIN, 0, INT_MAX, INT_MAX}},
    {{1, 4, 9, 16, 25}, 5, {1, 8, 27, 64, 125}, 5, {1, 1, 4, 8, 9, 16, 25, 27, 64, 125}},
};

int main(void) {
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        int merged[2 * LONGEST + 1];
        for (int j = 0; j <= 2 * LONGEST; ++j) {
            merged[j] = SENTINEL;
        }
        merge_sorted(CASES[i].left, CASES[i].left_count, CASES[i].right, CASES[i].right_count,
                     merged);
        long total = CASES[i].left_count + CASES[i].right_count;
        for (long j = 0; j <= 2 * LONGEST; ++j) {
            int expected = j < total ? CASES[i].expected[j] : SENTINEL;
            if (merged[j] != expected) {
                printf("case %u: element %ld is %d, not %d\n", i, j, merged[j], expected);
                return 1;
            }
        }
    }
    return 0;
}
