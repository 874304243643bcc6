// SPDX-License-Identifier: Apache-2.0
// Keeps only those selections that no other one beats in both weight and value.

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

/// The total weight and the total value of some of the items.
using Selection = std::pair<int, int>;

/// Returns the selections, in the order of their weights, that a further item makes possible.
static std::vector<Selection> with_item(const std::vector<Selection> &selections, int weight,
                                        int value, int capacity) {
    std::vector<Selection> extended;
    for (const auto &[total_weight, total_value] : selections) {
        if (total_weight <= capacity - weight) {
            extended.emplace_back(total_weight + weight, total_value + value);
        }
    }
    return extended;
}

/// Returns both lists in one, without the selections that are worth no more than a lighter one.
static std::vector<Selection> best_of(const std::vector<Selection> &a,
                                      const std::vector<Selection> &b) {
    std::vector<Selection> all;
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
    std::vector<Selection> best;
    for (const Selection &selection : all) {
        if (best.empty() || selection.second > best.back().second) {
            best.push_back(selection);
        }
    }
    return best;
}

/// Returns the greatest total value of a selection of n items, each taken at most once, whose total
/// weight does not exceed the capacity. Weights, values and capacity must not be negative and the
/// values must add up to an int.
extern "C" int knapsack(const int *weights, const int *values, int n, int capacity) {
    std::vector<Selection> selections{{0, 0}};
    for (int item = 0; item < n; ++item) {
        selections =
            best_of(selections, with_item(selections, weights[item], values[item], capacity));
    }
    return selections.back().second;
}
