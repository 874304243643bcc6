// SPDX-License-Identifier: Apache-2.0
// Reverses both parts and then the whole.

/** Reverses the elements from index `first` up to, but without, index `end`. */
static void reverse(int *values, long first, long end) {
    while (first < --end) {
        int saved = values[first];
        values[first++] = values[end];
        values[end] = saved;
    }
}

/**
 * Rotates an array to the left, so that the element at index `shift` comes to the front.
 *
 * The shift may exceed the length, and a negative one rotates to the right.
 */
void rotate_array(int *values, long count, long shift) {
    if (count == 0) {
        return;
    }
    shift %= count;
    if (shift < 0) {
        shift += count;
    }
    reverse(values, 0, shift);
    reverse(values, shift, count);
    reverse(values, 0, count);
}
