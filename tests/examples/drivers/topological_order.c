// SPDX-License-Identifier: Apache-2.0
// Checks topological_order: every order must hold all vertices and respect all edges.

#include <stdio.h>
#include <string.h>

int topological_order(const unsigned char *edges, int n, int *order);

enum { MOST = 12 };

static const struct {
    int n;
    int edges[32];
    int n_edges;
    int expected;
} CASES[] = {
    {0, {0}, 0, 1},
    {1, {0}, 0, 1},
    {1, {0, 0}, 1, 0},
    {2, {0, 1}, 1, 1},
    {2, {1, 0}, 1, 1},
    {2, {0, 1, 1, 0}, 2, 0},
    {4, {0}, 0, 1},
    {4, {3, 2, 2, 1, 1, 0}, 3, 1},
    {4, {3, 2, 2, 1, 1, 0, 0, 3}, 4, 0},
    {4, {0, 1, 0, 2, 1, 3, 2, 3}, 4, 1},
    {6, {5, 2, 5, 0, 4, 0, 4, 1, 2, 3, 3, 1}, 6, 1},
    {6, {5, 2, 5, 0, 4, 0, 4, 1, 2, 3, 3, 1, 1, 2}, 7, 0},
    {7, {6, 0, 0, 5, 5, 1, 1, 4, 4, 2, 2, 3}, 6, 1},
    {5, {0, 1, 2, 3, 3, 4, 4, 2}, 4, 0},
    {3, {0, 1, 1, 2, 2, 2}, 3, 0},
    {12, {11, 0, 10, 0, 9, 1, 8, 1, 7, 2, 0, 2, 2, 3, 3, 4, 1, 4, 4, 5, 5, 6}, 11, 1},
};

/// Tells whether the order holds every vertex once and no edge leads backwards in it.
static int is_right(const unsigned char *edges, int n, const int *order) {
    int places[MOST];
    memset(places, -1, sizeof places);
    for (int i = 0; i < n; i++) {
        if (order[i] < 0 || order[i] >= n || places[order[i]] >= 0) {
            return 0;
        }
        places[order[i]] = i;
    }
    for (int from = 0; from < n; from++) {
        for (int to = 0; to < n; to++) {
            if (edges[from * n + to] != 0 && places[from] >= places[to]) {
                return 0;
            }
        }
    }
    return 1;
}

int main(void) {
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        unsigned char edges[MOST * MOST] = {0};
        int order[MOST];
        for (int k = 0; k < CASES[i].n_edges; k++) {
            edges[CASES[i].edges[2 * k] * CASES[i].n + CASES[i].edges[2 * k + 1]] = 1;
        }
        int answer = topological_order(edges, CASES[i].n, order);
        if (answer != CASES[i].expected) {
            printf("case %zu: got %d, expected %d\n", i, answer, CASES[i].expected);
            return 1;
        }
        if (answer == 1 && !is_right(edges, CASES[i].n, order)) {
            printf("case %zu: an edge leads backwards or a vertex is missing\n", i);
            return 1;
        }
    }
    return 0;
}
