// SPDX-License-Identifier: Apache-2.0
// Fills the output from its end, always with the greater of the two last elements.

#include <string.h>

/**
 * Combines two sorted arrays into one sorted array of their total length.
 *
 * When the right array is used up, what remains of the left one is already the sorted beginning
 * of the output and is copied as a block.
 */
void merge_sorted(const int *left, long left_count, const int *right, long right_count,
                  int *merged) {
    long next = left_count + right_count;
    while (right_count > 0) {
        int take_left = left_count > 0 && left[left_count - 1] > right[right_count - 1];
        merged[--next] = take_left ? left[--left_count] : right[--right_count];
    }
    if (left_count > 0) {
        memcpy(merged, left, (size_t)left_count * sizeof *left);
    }
}
