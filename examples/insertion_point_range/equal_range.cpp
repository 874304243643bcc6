// SPDX-License-Identifier: Apache-2.0
// One descent for both bounds: it parts in two where the first equal element turns up.

#include <algorithm>

/// Computes the length of the run of elements equal to `wanted` in an ascending array.
///
/// The bounds share a search until it hits the run. Only then the left part is searched for the
/// beginning of the run, and the right part for its end.
extern "C" long insertion_point_range(const int *values, long count, int wanted) {
    const int *begin = values;
    const int *end = values + count;
    while (begin != end) {
        const int *middle = begin + (end - begin) / 2;
        if (*middle < wanted) {
            begin = middle + 1;
        } else if (wanted < *middle) {
            end = middle;
        } else {
            const int *run_begin = std::lower_bound(begin, middle, wanted);
            const int *run_end = std::upper_bound(middle + 1, end, wanted);
            return run_end - run_begin;
        }
    }
    return 0;
}
