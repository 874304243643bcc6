// SPDX-License-Identifier: Apache-2.0
// Recursion from the last item to the first; no number of items and room is worked out twice.

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace {

class Knapsack {
public:
    Knapsack(const int *weights, const int *values, int n)
        : weights_(weights), values_(values), known_(n + 1) {}

    /// Returns the best value that the first `items` items can bring into the given room.
    int best(int items, int room) {
        if (items == 0) {
            return 0;
        }
        const auto known = known_[items].find(room);
        if (known != known_[items].end()) {
            return known->second;
        }
        const int last = items - 1;
        int value = best(last, room);
        if (weights_[last] <= room) {
            value = std::max(value, values_[last] + best(last, room - weights_[last]));
        }
        return known_[items][room] = value;
    }

private:
    const int *weights_;
    const int *values_;
    std::vector<std::unordered_map<int, int>> known_;
};

}  // namespace

/// Returns the greatest total value of a selection of n items, each taken at most once, whose total
/// weight does not exceed the capacity. Weights, values and capacity must not be negative and the
/// values must add up to an int.
extern "C" int knapsack(const int *weights, const int *values, int n, int capacity) {
    Knapsack knapsack(weights, values, n);
    return knapsack.best(n, capacity);
}
