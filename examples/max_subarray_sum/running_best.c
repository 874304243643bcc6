// SPDX-License-Identifier: Apache-2.0
// Kadane's scan: the best sum that ends here either extends the one before or starts afresh.

/**
 * Returns the largest sum of any non-empty stretch of neighbouring elements.
 *
 * The array must have at least one element.
 */
long max_subarray_sum(const int *values, long count) {
    long ending_here = values[0];
    long best = values[0];
    for (long i = 1; i < count; ++i) {
        if (ending_here > 0) {
            ending_here += values[i];
        } else {
            ending_here = values[i];
        }
        if (ending_here > best) {
            best = ending_here;
        }
    }
    return best;
}
