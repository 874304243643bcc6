// SPDX-License-Identifier: Apache-2.0
// Quicksort with Hoare's partition and the median of three as pivot.

/** Exchanges two elements. */
static void swap(int *a, int *b) {
    int saved = *a;
    *a = *b;
    *b = saved;
}

/** Returns the middle one of three values. */
static int median(int a, int b, int c) {
    if (a < b) {
        return b < c ? b : (a < c ? c : a);
    }
    return a < c ? a : (b < c ? c : b);
}

/**
 * Splits at least two elements in two parts and returns the length of the first.
 *
 * Neither part is empty, and no element of the first is greater than any of the second.
 */
static long partition(int *values, long count) {
    int pivot = median(values[0], values[(count - 1) / 2], values[count - 1]);
    long left = -1;
    long right = count;
    for (;;) {
        do {
            ++left;
        } while (values[left] < pivot);
        do {
            --right;
        } while (values[right] > pivot);
        if (left >= right) {
            return right + 1;
        }
        swap(&values[left], &values[right]);
    }
}

/**
 * Sorts an array in ascending order, in place.
 *
 * The shorter part is sorted by recursion and the longer one by the loop, which keeps the
 * depth of the stack logarithmic.
 */
void sort_ascending(int *values, long count) {
    while (count > 1) {
        long split = partition(values, count);
        if (split <= count / 2) {
            sort_ascending(values, split);
            values += split;
            count -= split;
        } else {
            sort_ascending(values + split, count - split);
            count = split;
        }
    }
}
