// SPDX-License-Identifier: Apache-2.0
// Merge sort from the bottom up, between the array and a buffer of equal size.

#include <algorithm>
#include <vector>

/// Merges the neighbouring runs [begin, middle) and [middle, end) of one array into another.
static void merge_runs(const int *from, int *to, long begin, long middle, long end) {
    long left = begin;
    long right = middle;
    for (long out = begin; out < end; ++out) {
        const bool take_left = right == end || (left < middle && from[left] <= from[right]);
        to[out] = take_left ? from[left++] : from[right++];
    }
}

/// Arranges the elements of an array from the smallest to the largest.
///
/// Runs of one element are sorted; every pass merges pairs of runs and so doubles their length.
extern "C" void sort_ascending(int *values, long count) {
    std::vector<int> buffer(static_cast<std::size_t>(count));
    int *from = values;
    int *to = buffer.data();
    for (long width = 1; width < count; width *= 2) {
        for (long begin = 0; begin < count; begin += 2 * width) {
            const long middle = std::min(begin + width, count);
            const long end = std::min(begin + 2 * width, count);
            merge_runs(from, to, begin, middle, end);
        }
        std::swap(from, to);
    }
    if (from != values) {
        std::copy(from, from + count, values);
    }
}
