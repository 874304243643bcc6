// SPDX-License-Identifier: Apache-2.0
// Narrows a half-open interval of indices down to the insertion point.

/**
 * Finds a value in an array sorted in ascending order.
 *
 * Returns the lowest index that holds `wanted`, or -1 if the array does not contain it.
 */
long binary_search(const int *values, long count, int wanted) {
    long first = 0;
    long last = count;
    while (first < last) {
        long middle = first + (last - first) / 2;
        if (values[middle] < wanted) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    if (first < count && values[first] == wanted) {
        return first;
    }
    return -1;
}
