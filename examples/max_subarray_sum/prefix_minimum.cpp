// SPDX-License-Identifier: Apache-2.0
// A stretch is the difference of two prefix sums, so the lowest prefix so far is all one needs.

#include <algorithm>
#include <vector>

/// Computes the greatest total that consecutive elements of a non-empty array can have.
extern "C" long max_subarray_sum(const int *values, long count) {
    std::vector<long> prefix(static_cast<std::size_t>(count) + 1, 0);
    for (long i = 0; i < count; ++i) {
        prefix[i + 1] = prefix[i] + values[i];
    }
    long lowest = prefix.front();
    long best = prefix[1];
    for (auto sum = prefix.begin() + 1; sum != prefix.end(); ++sum) {
        best = std::max(best, *sum - lowest);
        lowest = std::min(lowest, *sum);
    }
    return best;
}
