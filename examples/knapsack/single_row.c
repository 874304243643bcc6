// SPDX-License-Identifier: Apache-2.0
// Dynamic programming over capacities, in one row that is filled from the right for each item.

#include <stdlib.h>

/// Lets every capacity that has room for the item profit from it where that pays.
static void add_item(int *best, int capacity, int weight, int value) {
    for (int room = capacity; room >= weight; room--) {
        int with_item = best[room - weight] + value;
        if (with_item > best[room]) {
            best[room] = with_item;
        }
    }
}

/// Returns the greatest total value of a selection of n items, each taken at most once, whose total
/// weight does not exceed the capacity. Weights, values and capacity must not be negative and the
/// values must add up to an int. Returns -1 if memory runs out.
int knapsack(const int *weights, const int *values, int n, int capacity) {
    int *best = calloc((size_t)capacity + 1, sizeof *best);
    if (best == NULL) {
        return -1;
    }
    for (int i = 0; i < n; i++) {
        add_item(best, capacity, weights[i], values[i]);
    }
    int answer = best[capacity];
    free(best);
    return answer;
}
