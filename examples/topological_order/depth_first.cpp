// SPDX-License-Identifier: Apache-2.0
// A depth-first search places each vertex before all that it has placed already.

#include <vector>

namespace {

class DepthFirstSorter {
public:
    DepthFirstSorter(const unsigned char *edges, int n, int *order)
        : edges_(edges), n_(n), next_(order + n), entered_(n, false), placed_(n, false) {}

    /// Places all vertices; tells whether the graph has no cycle.
    bool sort() {
        for (int vertex = 0; vertex < n_; ++vertex) {
            if (!place(vertex)) {
                return false;
            }
        }
        return true;
    }

private:
    /// Places the vertex, after what follows it has been placed; fails if it follows itself.
    bool place(int vertex) {
        if (entered_[vertex]) {
            return placed_[vertex];
        }
        entered_[vertex] = true;
        for (int to = 0; to < n_; ++to) {
            if (edges_[vertex * n_ + to] != 0 && !place(to)) {
                return false;
            }
        }
        placed_[vertex] = true;
        *--next_ = vertex;
        return true;
    }

    const unsigned char *edges_;
    int n_;
    int *next_;
    std::vector<bool> entered_;
    std::vector<bool> placed_;
};

}  // namespace

/// Writes the vertices of a directed graph in an order in which all edges lead forwards. There is
/// an edge from i to j where edges[i * n + j] is not zero. Returns 1, or 0 if the graph has a
/// cycle, in which case what is written means nothing.
extern "C" int topological_order(const unsigned char *edges, int n, int *order) {
    DepthFirstSorter sorter(edges, n, order);
    return sorter.sort() ? 1 : 0;
}
