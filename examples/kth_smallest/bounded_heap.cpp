// SPDX-License-Identifier: Apache-2.0
// One pass with a heap that never holds more than the k + 1 smallest elements so far.

#include <queue>

/// Selects the element of rank k, where the smallest has rank zero.
///
/// The largest of the elements kept is on top of the heap: it gives way to any smaller one that
/// comes along, and at the end it is the answer. The rank must be below the number of elements.
extern "C" int kth_smallest(const int *values, long count, long k) {
    const auto capacity = static_cast<std::size_t>(k) + 1;
    std::priority_queue<int> smallest;
    for (const int *value = values; value != values + count; ++value) {
        if (smallest.size() < capacity) {
            smallest.push(*value);
        } else if (*value < smallest.top()) {
            smallest.pop();
            smallest.push(*value);
        }
    }
    return smallest.top();
}
