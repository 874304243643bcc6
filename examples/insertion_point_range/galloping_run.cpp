// SPDX-License-Identifier: Apache-2.0
// Gallops over the smaller elements and then over the equal ones.

/// Returns the length of the longest prefix of a range whose elements all satisfy a predicate.
///
/// The predicate must hold for a prefix and fail from there on. Steps double as long as they
/// succeed and are halved after each failure, until a step of one fails.
template <typename Predicate>
static long gallop(const int *values, long count, Predicate holds) {
    long length = 0;
    long step = 1;
    bool growing = true;
    while (step > 0) {
        if (step <= count - length && holds(values[length + step - 1])) {
            length += step;
        } else {
            growing = false;
        }
        step = growing ? step * 2 : step / 2;
    }
    return length;
}

/// Tells how many elements of a sorted array have a given value.
extern "C" long insertion_point_range(const int *values, long count, int wanted) {
    const long before = gallop(values, count, [wanted](int value) { return value < wanted; });
    return gallop(values + before, count - before,
                  [wanted](int value) { return value == wanted; });
}
