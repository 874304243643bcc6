// SPDX-License-Identifier: Apache-2.0
// Explores the graph depth first from every vertex that no earlier exploration has reached.

#include <stack>
#include <vector>

using Graph = std::vector<std::vector<int>>;

/// Returns for each vertex the list of its neighbours.
static Graph make_graph(int n_vertices, const int *edges, int n_edges) {
    Graph graph(n_vertices);
    for (int k = 0; k < n_edges; ++k) {
        const int a = edges[2 * k];
        const int b = edges[2 * k + 1];
        graph[a].push_back(b);
        graph[b].push_back(a);
    }
    return graph;
}

/// Marks everything that can be reached from the vertex as visited.
static void explore(const Graph &graph, int start, std::vector<bool> &visited) {
    std::stack<int> waiting;
    waiting.push(start);
    while (!waiting.empty()) {
        const int vertex = waiting.top();
        waiting.pop();
        if (visited[vertex]) {
            continue;
        }
        visited[vertex] = true;
        for (const int neighbour : graph[vertex]) {
            waiting.push(neighbour);
        }
    }
}

/// Returns the number of connected components of an undirected graph, whose k-th edge joins the
/// vertices edges[2 * k] and edges[2 * k + 1].
extern "C" int connected_components(int n_vertices, const int *edges, int n_edges) {
    const Graph graph = make_graph(n_vertices, edges, n_edges);
    std::vector<bool> visited(n_vertices, false);
    int components = 0;
    for (int vertex = 0; vertex < n_vertices; ++vertex) {
        if (!visited[vertex]) {
            explore(graph, vertex, visited);
            ++components;
        }
    }
    return components;
}
