// SPDX-License-Identifier: Apache-2.0
// Computes the final place of every element on its own, as one would on a parallel machine.

#include <algorithm>

/// Writes the union of two ascending sequences, duplicates included, in ascending order.
///
/// The rank of an element in the output is its index in its own sequence plus the number of
/// elements of the other that precede it. An element of the right sequence comes after its equals
/// on the left, so no two elements claim the same place.
extern "C" void merge_sorted(const int *left, long left_count, const int *right, long right_count,
                             int *merged) {
    for (long i = 0; i < left_count; ++i) {
        const int *first_not_less = std::lower_bound(right, right + right_count, left[i]);
        merged[i + (first_not_less - right)] = left[i];
    }
    for (long i = 0; i < right_count; ++i) {
        const int *first_greater = std::upper_bound(left, left + left_count, right[i]);
        merged[i + (first_greater - left)] = right[i];
    }
}
