// SPDX-License-Identifier: Apache-2.0
// Divide and conquer: the median of the longer part cuts both parts in two.

#include <algorithm>
#include <utility>

namespace {

/// A stretch of a sorted array.
struct Range {
    const int *begin;
    const int *end;

    /// Returns the number of elements.
    long size() const { return end - begin; }
};

/// Merges two ranges to the place where `out` points.
///
/// The middle element of the longer range is put where it belongs; everything in front of it and
/// everything behind it are two smaller problems of the same kind.
void merge(Range longer, Range shorter, int *out) {
    if (longer.size() < shorter.size()) {
        std::swap(longer, shorter);
    }
    if (shorter.size() == 0) {
        std::copy(longer.begin, longer.end, out);
        return;
    }
    const int *middle = longer.begin + longer.size() / 2;
    const int *cut = std::lower_bound(shorter.begin, shorter.end, *middle);
    int *place = out + (middle - longer.begin) + (cut - shorter.begin);
    *place = *middle;
    merge({longer.begin, middle}, {shorter.begin, cut}, out);
    merge({middle + 1, longer.end}, {cut, shorter.end}, place + 1);
}

}  // namespace

/// Joins two arrays, each sorted from small to large, into a new array sorted likewise.
extern "C" void merge_sorted(const int *left, long left_count, const int *right, long right_count,
                             int *merged) {
    merge({left, left + left_count}, {right, right + right_count}, merged);
}
