// SPDX-License-Identifier: Apache-2.0
// Quickselect on a copy, with a partition in three parts.

#include <utility>
#include <vector>

/// Finds the k-th element, counted from zero, in the order of size.
///
/// The elements left in play are parted into those less than, equal to and greater than a pivot,
/// and the search goes on in the part that covers index k. It needs 0 <= k < count.
extern "C" int kth_smallest(const int *values, long count, long k) {
    std::vector<int> work(values, values + count);
    long first = 0;
    long last = count - 1;
    for (;;) {
        const int pivot = work[first + (last - first) / 2];
        long less_end = first;
        long equal_last = last;
        for (long i = first; i <= equal_last;) {
            if (work[i] < pivot) {
                std::swap(work[i++], work[less_end++]);
            } else if (work[i] > pivot) {
                std::swap(work[i], work[equal_last--]);
            } else {
                ++i;
            }
        }
        if (k < less_end) {
            last = less_end - 1;
        } else if (k > equal_last) {
            first = equal_last + 1;
        } else {
            return pivot;
        }
    }
}
