// SPDX-License-Identifier: Apache-2.0
// Sorts a copy and lets two fingers walk towards each other.

#include <algorithm>
#include <vector>

/// Says, by 1 or 0, if the target is the sum of two elements of the array.
///
/// While the sum under the fingers is too small only the left finger can help, and while it is
/// too large only the right one. One element may not be used twice.
extern "C" int two_sum_exists(const int *values, long count, int target) {
    std::vector<int> sorted(values, values + count);
    std::sort(sorted.begin(), sorted.end());
    long left = 0;
    long right = count - 1;
    while (left < right) {
        const long sum = static_cast<long>(sorted[left]) + sorted[right];
        if (sum == target) {
            return 1;
        }
        if (sum < target) {
            ++left;
        } else {
            --right;
        }
    }
    return 0;
}
