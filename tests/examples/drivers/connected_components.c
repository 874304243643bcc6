// SPDX-License-Identifier: Apache-2.0
// Checks connected_components against known answers.

#include <stdio.h>

int connected_components(int n_vertices, const int *edges, int n_edges);

static const struct {
    int n_vertices;
    int edges[24];
    int n_edges;
    int expected;
} CASES[] = {
    {0, {0}, 0, 0},
    {1, {0}, 0, 1},
    {1, {0, 0}, 1, 1},
    {5, {0}, 0, 5},
    {2, {0, 1}, 1, 1},
    {2, {1, 0, 0, 1}, 2, 1},
    {4, {0, 1, 2, 3}, 2, 2},
    {4, {0, 1, 1, 2, 2, 0}, 3, 2},
    {5, {4, 3, 3, 2, 2, 1, 1, 0}, 4, 1},
    {6, {0, 5, 1, 4, 2, 3}, 3, 3},
    {6, {0, 5, 1, 4, 2, 3, 5, 4}, 4, 2},
    {8, {7, 0, 6, 1, 5, 2, 4, 3, 0, 3, 1, 2}, 6, 2},
    {9, {0, 8, 8, 1, 1, 7, 7, 2, 2, 6, 6, 3, 3, 5, 5, 4}, 8, 1},
    {9, {3, 3, 4, 5, 5, 4, 8, 8}, 4, 8},
    {10, {0, 1, 0, 2, 0, 3, 9, 8, 9, 7, 9, 6, 4, 5}, 7, 3},
};

int main(void) {
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        int answer = connected_components(CASES[i].n_vertices, CASES[i].edges, CASES[i].n_edges);
        if (answer != CASES[i].expected) {
            printf("case %zu: got %d, expected %d\n", i, answer, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
