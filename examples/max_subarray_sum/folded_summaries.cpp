// SPDX-License-Identifier: Apache-2.0
// Folds summaries of stretches with an associative operation, as a segment tree would.

#include <algorithm>
#include <numeric>

namespace {

/// What has to be known of a stretch to join it with its neighbour.
struct Summary {
    long total;
    long best_prefix;
    long best_suffix;
    long best;
};

/// Summarises a single element.
Summary summary_of(int value) {
    return {value, value, value, value};
}

/// Summarises two neighbouring stretches taken together.
Summary join(const Summary &left, const Summary &right) {
    return {left.total + right.total,
            std::max(left.best_prefix, left.total + right.best_prefix),
            std::max(right.best_suffix, right.total + left.best_suffix),
            std::max({left.best, right.best, left.best_suffix + right.best_prefix})};
}

}  // namespace

/// Returns the maximum over all contiguous, non-empty parts of an array of the sum of the part.
///
/// An array with only negative elements has its largest element as the answer; an empty array is
/// not allowed.
extern "C" long max_subarray_sum(const int *values, long count) {
    const Summary whole = std::accumulate(
        values + 1, values + count, summary_of(values[0]),
        [](const Summary &so_far, int value) { return join(so_far, summary_of(value)); });
    return whole.best;
}
