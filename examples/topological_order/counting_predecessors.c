// SPDX-License-Identifier: Apache-2.0
// Kahn's algorithm: counts the predecessors of every vertex; the order itself serves as the queue.

#include <stdlib.h>

/// Returns how many edges lead to the vertex.
static int count_predecessors(const unsigned char *edges, int n, int vertex) {
    int predecessors = 0;
    for (int from = 0; from < n; from++) {
        if (edges[from * n + vertex] != 0) {
            predecessors++;
        }
    }
    return predecessors;
}

/// Writes the vertices of a directed graph in an order in which all edges lead forwards. There is
/// an edge from i to j where edges[i * n + j] is not zero. Returns 1, or 0 if the graph has a
/// cycle, in which case what is written means nothing, or -1 if memory runs out.
int topological_order(const unsigned char *edges, int n, int *order) {
    int *missing = malloc(((size_t)n + 1) * sizeof *missing);
    if (missing == NULL) {
        return -1;
    }
    int written = 0;
    for (int vertex = 0; vertex < n; vertex++) {
        missing[vertex] = count_predecessors(edges, n, vertex);
        if (missing[vertex] == 0) {
            order[written++] = vertex;
        }
    }
    for (int read = 0; read < written; read++) {
        const unsigned char *row = &edges[order[read] * n];
        for (int to = 0; to < n; to++) {
            if (row[to] != 0 && --missing[to] == 0) {
                order[written++] = to;
            }
        }
    }
    free(missing);
    return written == n;
}
