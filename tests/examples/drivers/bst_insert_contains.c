// SPDX-License-Identifier: Apache-2.0
// Checks bst_insert_contains against known answers and on longer series of keys.

#include <limits.h>
#include <stdio.h>

int bst_insert_contains(const int *keys, int n_keys, const int *queries, int n_queries);

static const struct {
    int keys[8];
    int n_keys;
    int queries[8];
    int n_queries;
    int expected;
} CASES[] = {
    {{0}, 0, {0}, 0, 0},
    {{0}, 0, {0, 1}, 2, 0},
    {{7}, 1, {7}, 1, 1},
    {{7}, 1, {6, 8}, 2, 0},
    {{7}, 1, {7, 7, 7}, 3, 3},
    {{5, 3, 8, 1, 4}, 5, {1, 3, 4, 5, 8}, 5, 5},
    {{5, 3, 8, 1, 4}, 5, {0, 2, 6, 7, 9}, 5, 0},
    {{1, 2, 3, 4, 5, 6, 7, 8}, 8, {8, 9, 1, 0}, 4, 2},
    {{8, 7, 6, 5, 4, 3, 2, 1}, 8, {8, 9, 1, 0}, 4, 2},
    {{2, 2, 2, 2}, 4, {2, 3}, 2, 1},
    {{INT_MIN, INT_MAX, 0}, 3, {INT_MAX, INT_MIN, -1, 1, 0}, 5, 3},
    {{-5, -1, -9}, 3, {5, 1, 9, -1}, 4, 1},
};

/// Checks 500 multiples of three, inserted with the given stride, against 1500 queries.
static int check_multiples(int stride) {
    static int keys[500], queries[1500];
    for (int i = 0; i < 500; i++) {
        keys[i] = 3 * (i * stride % 500);
    }
    for (int i = 0; i < 1500; i++) {
        queries[i] = i;
    }
    int answer = bst_insert_contains(keys, 500, queries, 1500);
    if (answer != 500) {
        printf("multiples of three, stride %d: got %d, expected 500\n", stride, answer);
    }
    return answer != 500;
}

int main(void) {
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        int answer = bst_insert_contains(CASES[i].keys, CASES[i].n_keys, CASES[i].queries,
                                         CASES[i].n_queries);
        if (answer != CASES[i].expected) {
            printf("case %zu: got %d, expected %d\n", i, answer, CASES[i].expected);
            return 1;
        }
    }
    return check_multiples(1) || check_multiples(499) || check_multiples(137);
}
