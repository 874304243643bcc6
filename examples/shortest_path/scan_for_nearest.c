// SPDX-License-Identifier: Apache-2.0
// Dijkstra's algorithm on arrays: looks through all vertices for the nearest one not yet settled.

#include <stdbool.h>
#include <stdlib.h>

/// What is known of a vertex: the length of the best path so far, -1 before there is any.
struct vertex {
    long long distance;
    bool settled;
};

/// Returns the nearest vertex that has been reached and not been settled, or -1 if there is none.
static int nearest_unsettled(const struct vertex *vertices, int n) {
    int nearest = -1;
    for (int v = 0; v < n; v++) {
        if (vertices[v].settled || vertices[v].distance < 0) {
            continue;
        }
        if (nearest < 0 || vertices[v].distance < vertices[nearest].distance) {
            nearest = v;
        }
    }
    return nearest;
}

/// Offers every neighbour the path that leads over this vertex.
static void settle(struct vertex *vertices, const int *row, int n, int current) {
    vertices[current].settled = true;
    for (int v = 0; v < n; v++) {
        if (row[v] < 0) {
            continue;
        }
        long long offered = vertices[current].distance + row[v];
        if (vertices[v].distance < 0 || offered < vertices[v].distance) {
            vertices[v].distance = offered;
        }
    }
}

/// Returns the length of the shortest path between two of n vertices. Entry [i * n + j] of the
/// weights is the length of the edge from i to j, negative if there is none. Returns -1 if no path
/// exists and -2 if memory runs out.
long long shortest_path(const int *weights, int n, int source, int target) {
    struct vertex *vertices = malloc((size_t)n * sizeof *vertices);
    if (vertices == NULL) {
        return -2;
    }
    for (int v = 0; v < n; v++) {
        vertices[v] = (struct vertex){v == source ? 0 : -1, false};
    }
    int current = source;
    while (current >= 0 && current != target) {
        settle(vertices, weights + (size_t)current * n, n, current);
        current = nearest_unsettled(vertices, n);
    }
    long long distance = vertices[target].distance;
    free(vertices);
    return current < 0 ? -1 : distance;
}
