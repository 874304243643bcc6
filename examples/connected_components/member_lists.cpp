// SPDX-License-Identifier: Apache-2.0
// Every component is a list of its members; an edge moves the shorter list into the longer one.

#include <algorithm>
#include <list>
#include <utility>
#include <vector>

namespace {

class Partition {
public:
    /// Starts with each vertex in a component of its own.
    explicit Partition(int n_vertices) : members_(n_vertices), home_(n_vertices) {
        for (int vertex = 0; vertex < n_vertices; ++vertex) {
            members_[vertex].push_back(vertex);
            home_[vertex] = vertex;
        }
    }

    /// Makes one component of those of the two vertices.
    void merge(int a, int b) {
        int target = home_[a];
        int source = home_[b];
        if (target == source) {
            return;
        }
        if (members_[target].size() < members_[source].size()) {
            std::swap(target, source);
        }
        for (const int vertex : members_[source]) {
            home_[vertex] = target;
        }
        members_[target].splice(members_[target].end(), members_[source]);
    }

    /// Returns the number of components.
    int count() const {
        return static_cast<int>(std::count_if(members_.begin(), members_.end(),
                                              [](const auto &list) { return !list.empty(); }));
    }

private:
    std::vector<std::list<int>> members_;
    std::vector<int> home_;
};

}  // namespace

/// Returns the number of connected components of an undirected graph, whose k-th edge joins the
/// vertices edges[2 * k] and edges[2 * k + 1].
extern "C" int connected_components(int n_vertices, const int *edges, int n_edges) {
    Partition partition(n_vertices);
    while (n_edges-- > 0) {
        partition.merge(edges[0], edges[1]);
        edges += 2;
    }
    return partition.count();
}
