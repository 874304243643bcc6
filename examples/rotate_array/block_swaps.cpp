// SPDX-License-Identifier: Apache-2.0
// The algorithm of Gries and Mills: swaps equal blocks until the unequal rest is gone.

#include <algorithm>

/// Exchanges the neighbouring parts of `left` and `right` elements that meet at `middle`.
///
/// A swap of the shorter part with the far end of the longer one brings the shorter part to its
/// final place; what is left is the same problem with a shorter longer part.
static void exchange_parts(int *middle, long left, long right) {
    while (left != right) {
        if (left < right) {
            std::swap_ranges(middle - left, middle, middle + (right - left));
            right -= left;
        } else {
            std::swap_ranges(middle, middle + right, middle - left);
            left -= right;
        }
    }
    std::swap_ranges(middle - left, middle, middle);
}

/// Turns an array like a ring by `shift` places towards its beginning, or back if negative.
extern "C" void rotate_array(int *values, long count, long shift) {
    if (count < 2) {
        return;
    }
    const long left = (shift % count + count) % count;
    if (left != 0) {
        exchange_parts(values + left, left, count - left);
    }
}
