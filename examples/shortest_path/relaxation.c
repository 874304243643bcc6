// SPDX-License-Identifier: Apache-2.0
// Bellman and Ford: relaxes all edges over and over until a round changes nothing.

#include <limits.h>
#include <stdlib.h>

static const long long UNREACHED = LLONG_MAX;

/// Shortens the distances along every edge once and returns how many became shorter.
static int relax_all(const int *weights, int n, long long *distances) {
    int improved = 0;
    for (int from = 0; from < n; from++) {
        if (distances[from] == UNREACHED) {
            continue;
        }
        for (int to = 0; to < n; to++) {
            int weight = weights[(size_t)from * n + to];
            if (weight >= 0 && distances[from] + weight < distances[to]) {
                distances[to] = distances[from] + weight;
                improved++;
            }
        }
    }
    return improved;
}

/// Returns the length of the shortest path between two of n vertices. Entry [i * n + j] of the
/// weights is the length of the edge from i to j, negative if there is none. Returns -1 if no path
/// exists and -2 if memory runs out.
long long shortest_path(const int *weights, int n, int source, int target) {
    long long *distances = malloc((size_t)n * sizeof *distances);
    if (distances == NULL) {
        return -2;
    }
    for (int i = 0; i < n; i++) {
        distances[i] = UNREACHED;
    }
    distances[source] = 0;
    while (relax_all(weights, n, distances) > 0) {
    }
    long long distance = distances[target] == UNREACHED ? -1 : distances[target];
    free(distances);
    return distance;
}
