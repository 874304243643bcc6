// SPDX-License-Identifier: Apache-2.0
// Floyd and Warshall: finds all distances at once, allowing one more stopover at a time.

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace {

class DistanceMatrix {
public:
    /// Starts with the edges alone; every vertex is at distance zero from itself.
    DistanceMatrix(const int *weights, int n) : n_(n), cells_(weights, weights + n * n) {
        std::replace_if(cells_.begin(), cells_.end(), [](long long w) { return w < 0; }, NO_PATH);
        for (int vertex = 0; vertex < n; ++vertex) {
            at(vertex, vertex) = 0;
        }
    }

    /// Takes every detour over the vertex that is shorter than the way known so far.
    void allow_stopover(int over) {
        for (int from = 0; from < n_; ++from) {
            for (int to = 0; to < n_; ++to) {
                if (at(from, over) != NO_PATH && at(over, to) != NO_PATH) {
                    at(from, to) = std::min(at(from, to), at(from, over) + at(over, to));
                }
            }
        }
    }

    /// Returns the distance between two vertices if there is a path.
    std::optional<long long> distance(int from, int to) {
        return at(from, to) == NO_PATH ? std::nullopt : std::optional(at(from, to));
    }

private:
    static constexpr long long NO_PATH = std::numeric_limits<long long>::max();

    long long &at(int from, int to) {
        return cells_[from * n_ + to];
    }

    int n_;
    std::vector<long long> cells_;
};

}  // namespace

/// Returns the length of the shortest path between two of n vertices. Entry [i * n + j] of the
/// weights is the length of the edge from i to j, negative if there is none. Returns -1 if no path
/// exists.
extern "C" long long shortest_path(const int *weights, int n, int source, int target) {
    DistanceMatrix distances(weights, n);
    for (int vertex = 0; vertex < n; ++vertex) {
        distances.allow_stopover(vertex);
    }
    return distances.distance(source, target).value_or(-1);
}
