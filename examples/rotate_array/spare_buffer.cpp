// SPDX-License-Identifier: Apache-2.0
// Puts the shorter part aside, closes the gap, and puts it back at the other end.

#include <algorithm>
#include <vector>

/// Brings the first `shift` elements of an array behind the others, which move up.
///
/// Shifts are taken modulo the length; negative ones bring the last elements to the front.
extern "C" void rotate_array(int *values, long count, long shift) {
    if (count == 0) {
        return;
    }
    const long offset = shift % count;
    int *const end = values + count;
    int *const middle = values + (offset < 0 ? offset + count : offset);
    if (middle - values <= end - middle) {
        const std::vector<int> aside(values, middle);
        int *const gap = std::copy(middle, end, values);
        std::copy(aside.begin(), aside.end(), gap);
    } else {
        const std::vector<int> aside(middle, end);
        std::copy_backward(values, middle, end);
        std::copy(aside.begin(), aside.end(), values);
    }
}
