// SPDX-License-Identifier: Apache-2.0
// Checks knapsack against known answers.

#include <stdio.h>

int knapsack(const int *weights, const int *values, int n, int capacity);

static const struct {
    int weights[10];
    int values[10];
    int n;
    int capacity;
    int expected;
} CASES[] = {
    {{0}, {0}, 0, 10, 0},
    {{5}, {7}, 1, 0, 0},
    {{5}, {7}, 1, 4, 0},
    {{5}, {7}, 1, 5, 7},
    {{0}, {7}, 1, 0, 7},
    {{1, 3, 4, 5}, {1, 4, 5, 7}, 4, 7, 9},
    {{10, 20, 30}, {60, 100, 120}, 3, 50, 220},
    {{4, 5, 1}, {1, 2, 3}, 3, 4, 3},
    {{4, 5, 6}, {1, 2, 3}, 3, 3, 0},
    {{2, 2, 2, 2}, {3, 3, 3, 3}, 4, 5, 6},
    {{1, 2, 3, 4}, {0, 0, 0, 0}, 4, 10, 0},
    {{23, 31, 29, 44, 53, 38, 63, 85, 89, 82},
     {92, 57, 49, 68, 60, 43, 67, 84, 87, 72},
     10,
     165,
     309},
    {{12, 7, 11, 8, 9}, {24, 13, 23, 15, 16}, 5, 26, 51},
    {{56, 59, 80, 64, 75, 17}, {50, 50, 64, 46, 50, 5}, 6, 190, 150},
    {{70, 73, 77, 80}, {135, 139, 149, 150}, 4, 300, 573},
    {{6, 0, 3, 0}, {9, 1, 5, 2}, 4, 5, 8},
};

int main(void) {
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        int answer =
            knapsack(CASES[i].weights, CASES[i].values, CASES[i].n, CASES[i].capacity);
        if (answer != CASES[i].expected) {
            printf("case %zu: got %d, expected %d\n", i, answer, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
