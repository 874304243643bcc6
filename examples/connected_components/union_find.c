// SPDX-License-Identifier: Apache-2.0
// A forest of disjoint sets: every edge that joins two trees leaves one component less.

#include <stdlib.h>

/// Returns the root of the tree that holds the vertex, and halves the way there.
static int find_root(int *parents, int vertex) {
    while (parents[vertex] != vertex) {
        parents[vertex] = parents[parents[vertex]];
        vertex = parents[vertex];
    }
    return vertex;
}

/// Joins the trees of two vertices, the smaller below the larger. Returns 1 if they were apart.
static int join(int *parents, int *sizes, int a, int b) {
    int large = find_root(parents, a);
    int small = find_root(parents, b);
    if (large == small) {
        return 0;
    }
    if (sizes[large] < sizes[small]) {
        int kept = large;
        large = small;
        small = kept;
    }
    parents[small] = large;
    sizes[large] += sizes[small];
    return 1;
}

/// Returns the number of connected components of an undirected graph, whose k-th edge joins the
/// vertices edges[2 * k] and edges[2 * k + 1]. Returns -1 if memory runs out.
int connected_components(int n_vertices, const int *edges, int n_edges) {
    int *parents = malloc((2 * (size_t)n_vertices + 1) * sizeof *parents);
    if (parents == NULL) {
        return -1;
    }
    int *sizes = parents + n_vertices;
    for (int vertex = 0; vertex < n_vertices; vertex++) {
        parents[vertex] = vertex;
        sizes[vertex] = 1;
    }
    int components = n_vertices;
    for (int k = 0; k < n_edges; k++) {
        components -= join(parents, sizes, edges[2 * k], edges[2 * k + 1]);
    }
    free(parents);
    return components;
}
