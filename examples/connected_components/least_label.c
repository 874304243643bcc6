// SPDX-License-Identifier: Apache-2.0
// Labels spread along the edges until each component agrees on the least of its vertex numbers.

#include <stdbool.h>
#include <stdlib.h>

/// Gives both ends of every edge the smaller of their labels; tells whether any label changed.
static bool spread_labels(int *labels, const int *edges, int n_edges) {
    bool changed = false;
    for (const int *edge = edges; edge != edges + 2 * n_edges; edge += 2) {
        int *one = &labels[edge[0]];
        int *other = &labels[edge[1]];
        if (*one != *other) {
            *one = *other = *one < *other ? *one : *other;
            changed = true;
        }
    }
    return changed;
}

/// Returns how many vertices have their own number for a label.
static int count_leaders(const int *labels, int n_vertices) {
    int leaders = 0;
    for (int vertex = 0; vertex < n_vertices; ++vertex) {
        leaders += labels[vertex] == vertex;
    }
    return leaders;
}

/// Returns the number of connected components of an undirected graph, whose k-th edge joins the
/// vertices edges[2 * k] and edges[2 * k + 1]. Returns -1 if memory runs out.
int connected_components(int n_vertices, const int *edges, int n_edges) {
    int *labels = malloc(((size_t)n_vertices + 1) * sizeof *labels);
    if (labels == NULL) {
        return -1;
    }
    for (int vertex = 0; vertex < n_vertices; ++vertex) {
        labels[vertex] = vertex;
    }
    bool changed;
    do {
        changed = spread_labels(labels, edges, n_edges);
    } while (changed);
    int components = count_leaders(labels, n_vertices);
    free(labels);
    return components;
}
