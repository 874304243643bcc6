// SPDX-License-Identifier: Apache-2.0
// Tries every item in and out, and gives up where all that is left could not beat the record.

/// What stays the same throughout the search, and the best total value found in it.
struct search {
    const int *weights;
    const int *values;
    int n;
    int record;
};

/// Decides on the items from index `item` on, given the room left, the value packed so far and
/// the total value of the items not decided on.
static void decide(struct search *search, int item, int room, int packed, int undecided) {
    if (packed > search->record) {
        search->record = packed;
    }
    if (item == search->n || packed + undecided <= search->record) {
        return;
    }
    int value = search->values[item];
    int weight = search->weights[item];
    if (weight <= room) {
        decide(search, item + 1, room - weight, packed + value, undecided - value);
    }
    decide(search, item + 1, room, packed, undecided - value);
}

/// Returns the greatest total value of a selection of n items, each taken at most once, whose total
/// weight does not exceed the capacity. Weights, values and capacity must not be negative and the
/// values must add up to an int.
int knapsack(const int *weights, const int *values, int n, int capacity) {
    struct search search = {weights, values, n, 0};
    int total = 0;
    for (int item = 0; item < n; item++) {
        total += values[item];
    }
    decide(&search, 0, capacity, 0, total);
    return search.record;
}
