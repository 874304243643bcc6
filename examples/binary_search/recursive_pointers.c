// SPDX-License-Identifier: Apache-2.0
// Recursion on the half that can hold the value, with pointers to its ends.

#include <stddef.h>

/**
 * Returns a pointer to the first element equal to `wanted` from `begin` up to `end`, or NULL.
 *
 * An equal element in the middle is the answer only if the part before it has none.
 */
static const int *find(const int *begin, const int *end, int wanted) {
    if (begin == end) {
        return NULL;
    }
    const int *middle = begin + (end - begin) / 2;
    if (*middle < wanted) {
        return find(middle + 1, end, wanted);
    }
    const int *earlier = find(begin, middle, wanted);
    if (earlier == NULL && *middle == wanted) {
        return middle;
    }
    return earlier;
}

/** Searches a sorted array and returns the index of the first match, -1 if nothing matches. */
long binary_search(const int *values, long count, int wanted) {
    const int *match = find(values, values + count, wanted);
    return match == NULL ? -1 : (long)(match - values);
}
