// SPDX-License-Identifier: Apache-2.0
// Doubles the step until the value is passed, then lets the library search the last stretch.

#include <algorithm>

/// Looks a number up in an ascending array, quickly if it sits near the front.
///
/// Gives the position of its first occurrence and -1 if it does not occur.
extern "C" long binary_search(const int *values, long count, int wanted) {
    long passed = 0;  // everything before this index is smaller
    long probe = 1;
    while (probe <= count && values[probe - 1] < wanted) {
        passed = probe;
        probe *= 2;
    }
    const int *end = values + std::min(probe, count);
    const int *match = std::lower_bound(values + passed, end, wanted);
    if (match == end || *match != wanted) {
        return -1;
    }
    return match - values;
}
