// SPDX-License-Identifier: Apache-2.0
// Like selection sort: looks for a vertex that no other one left over leads to, and swaps it in.

#include <stdbool.h>

/// Tells whether an edge leads to the vertex from any of the `count` candidates.
static bool has_predecessor(const unsigned char *edges, int n, const int *candidates, int count,
                            int vertex) {
    for (int i = 0; i < count; ++i) {
        if (edges[candidates[i] * n + vertex]) {
            return true;
        }
    }
    return false;
}

/// Returns the place of a candidate that no candidate leads to, or `count` if there is none.
static int find_source(const unsigned char *edges, int n, const int *candidates, int count) {
    int place = 0;
    while (place < count && has_predecessor(edges, n, candidates, count, candidates[place])) {
        ++place;
    }
    return place;
}

/// Writes the vertices of a directed graph in an order in which all edges lead forwards. There is
/// an edge from i to j where edges[i * n + j] is not zero. Returns 1, or 0 if the graph has a
/// cycle, in which case what is written means nothing.
int topological_order(const unsigned char *edges, int n, int *order) {
    for (int vertex = 0; vertex < n; ++vertex) {
        order[vertex] = vertex;
    }
    for (int done = 0; done < n; ++done) {
        int *candidates = order + done;
        int place = find_source(edges, n, candidates, n - done);
        if (place == n - done) {
            return 0;
        }
        int source = candidates[place];
        candidates[place] = candidates[0];
        candidates[0] = source;
    }
    return 1;
}
