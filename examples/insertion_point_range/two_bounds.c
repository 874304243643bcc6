// SPDX-License-Identifier: Apache-2.0
// Subtracts the lower bound from the upper bound, each found by bisection.

/** Counts the leading elements that are less than `wanted`. */
static long lower_bound(const int *values, long count, int wanted) {
    long low = 0;
    long high = count;
    while (low < high) {
        long middle = low + (high - low) / 2;
        if (values[middle] < wanted) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/** Counts the leading elements that are less than or equal to `wanted`. */
static long upper_bound(const int *values, long count, int wanted) {
    long low = 0;
    long high = count;
    while (low < high) {
        long middle = low + (high - low) / 2;
        if (values[middle] <= wanted) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/**
 * Returns how often a value occurs in an array sorted in ascending order.
 *
 * That is the distance between the first and the last place where it could be inserted.
 */
long insertion_point_range(const int *values, long count, int wanted) {
    return upper_bound(values, count, wanted) - lower_bound(values, count, wanted);
}
