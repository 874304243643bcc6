// SPDX-License-Identifier: Apache-2.0
// Dijkstra's algorithm on adjacency lists, with a heap that may hold outdated entries.

#include <functional>
#include <queue>
#include <utility>
#include <vector>

using Distance = long long;
using Edge = std::pair<int, int>;
using Entry = std::pair<Distance, int>;
using Heap = std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>>;

/// Returns for each vertex its neighbours with the lengths of the edges that lead to them.
static std::vector<std::vector<Edge>> adjacency_lists(const int *weights, int n) {
    std::vector<std::vector<Edge>> lists(n);
    for (std::vector<Edge> &list : lists) {
        for (int to = 0; to < n; ++to, ++weights) {
            if (*weights >= 0) {
                list.emplace_back(to, *weights);
            }
        }
    }
    return lists;
}

/// Returns the length of the shortest path between two of n vertices. Entry [i * n + j] of the
/// weights is the length of the edge from i to j, negative if there is none. Returns -1 if no path
/// exists.
extern "C" long long shortest_path(const int *weights, int n, int source, int target) {
    const std::vector<std::vector<Edge>> neighbours = adjacency_lists(weights, n);
    std::vector<bool> settled(n, false);
    Heap heap;
    heap.emplace(0, source);
    while (!heap.empty()) {
        const auto [distance, vertex] = heap.top();
        heap.pop();
        if (vertex == target) {
            return distance;
        }
        if (settled[vertex]) {
            continue;
        }
        settled[vertex] = true;
        for (const auto &[next, weight] : neighbours[vertex]) {
            if (!settled[next]) {
                heap.emplace(distance + weight, next);
            }
        }
    }
    return -1;
}
