// SPDX-License-Identifier: Apache-2.0
// Three pointers that walk from front to back.

/**
 * Merges two ascending arrays into a third one, which must not overlap them.
 *
 * `merged` has room for left_count + right_count elements. Of equal elements those from the left
 * array come first.
 */
void merge_sorted(const int *left, long left_count, const int *right, long right_count,
                  int *merged) {
    const int *left_end = left + left_count;
    const int *right_end = right + right_count;
    while (left != left_end && right != right_end) {
        if (*right < *left) {
            *merged++ = *right++;
        } else {
            *merged++ = *left++;
        }
    }
    while (left != left_end) {
        *merged++ = *left++;
    }
    while (right != right_end) {
        *merged++ = *right++;
    }
}
