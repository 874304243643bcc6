// SPDX-License-Identifier: Apache-2.0
// Bisects the range of values, not the array, which is only read.

/** Counts the elements that are not greater than a bound. */
static long count_up_to(const int *values, long count, long bound) {
    long hits = 0;
    for (long i = 0; i < count; ++i) {
        hits += values[i] <= bound;
    }
    return hits;
}

/**
 * Returns the element that would stand at index k if the array were sorted.
 *
 * It is the least value v for which more than k elements are at most v. The index must satisfy
 * 0 <= k < count.
 */
int kth_smallest(const int *values, long count, long k) {
    long low = values[0];
    long high = values[0];
    for (long i = 1; i < count; ++i) {
        if (values[i] < low) {
            low = values[i];
        }
        if (values[i] > high) {
            high = values[i];
        }
    }
    while (low < high) {
        long middle = low + (high - low) / 2;
        if (count_up_to(values, count, middle) > k) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return (int)low;
}
