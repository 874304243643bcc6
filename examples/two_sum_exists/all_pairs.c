// SPDX-License-Identifier: Apache-2.0
// Tries every pair of positions.

/**
 * Tells whether two elements at different positions add up to `target`.
 *
 * The answer is 1 if such a pair exists and 0 if not. Sums are formed in a long, which any two
 * ints fit into. The time grows with the square of the length, but no memory is used.
 */
int two_sum_exists(const int *values, long count, int target) {
    for (long i = 0; i < count; ++i) {
        for (long j = i + 1; j < count; ++j) {
            long sum = (long)values[i] + values[j];
            if (sum == target) {
                return 1;
            }
        }
    }
    return 0;
}
