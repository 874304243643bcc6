// SPDX-License-Identifier: Apache-2.0
// Divide and conquer: the best stretch lies on the left, on the right, or across the middle.

/** Returns the greater of two numbers. */
static long maximum(long a, long b) {
    return a > b ? a : b;
}

/** Finds the best sum of a non-empty run that starts at `from` and walks in steps of +1 or -1. */
static long best_run(const int *from, long length, long step) {
    long sum = *from;
    long best = sum;
    for (long i = 1; i < length; ++i) {
        sum += from[i * step];
        best = maximum(best, sum);
    }
    return best;
}

/** Solves the maximum subarray problem by halving; there must be at least one element. */
long max_subarray_sum(const int *values, long count) {
    if (count == 1) {
        return values[0];
    }
    long half = count / 2;
    const int *right = values + half;
    long apart = maximum(max_subarray_sum(values, half), max_subarray_sum(right, count - half));
    long across = best_run(right - 1, half, -1) + best_run(right, count - half, 1);
    return maximum(apart, across);
}
