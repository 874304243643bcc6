// SPDX-License-Identifier: Apache-2.0
// Lifts every vertex to a level above all that lead to it, then writes level after level.

#include <vector>

/// Lifts the ends of all edges above their beginnings once; tells whether any vertex was lifted.
static bool lift_all(const unsigned char *edges, std::vector<int> &levels) {
    bool lifted = false;
    for (const int &from : levels) {
        for (int &to : levels) {
            if (*edges++ != 0 && to <= from) {
                to = from + 1;
                lifted = true;
            }
        }
    }
    return lifted;
}

/// Returns the vertices of each level; in a graph without a cycle no path has more than n levels.
static std::vector<std::vector<int>> vertices_by_level(const std::vector<int> &levels) {
    const int n = static_cast<int>(levels.size());
    std::vector<std::vector<int>> vertices(n);
    for (int vertex = 0; vertex < n; ++vertex) {
        vertices[levels[vertex]].push_back(vertex);
    }
    return vertices;
}

/// Writes the vertices of a directed graph in an order in which all edges lead forwards. There is
/// an edge from i to j where edges[i * n + j] is not zero. Returns 1, or 0 if the graph has a
/// cycle, in which case what is written means nothing.
extern "C" int topological_order(const unsigned char *edges, int n, int *order) {
    std::vector<int> levels(n, 0);
    for (int rounds = 0; lift_all(edges, levels); ++rounds) {
        if (rounds == n) {
            return 0;
        }
    }
    for (const std::vector<int> &level : vertices_by_level(levels)) {
        for (const int vertex : level) {
            *order++ = vertex;
        }
    }
    return 1;
}
