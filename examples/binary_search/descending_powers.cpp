// SPDX-License-Identifier: Apache-2.0
// Builds the number of smaller elements bit by bit, without ever comparing two bounds.

/// Returns the largest power of two that does not exceed a positive number.
static long highest_power_of_two(long number) {
    long power = 1;
    while (power <= number / 2) {
        power *= 2;
    }
    return power;
}

/// Determines at which index of a sorted array a value first stands.
///
/// In an ascending array, the elements below the value form a prefix, and each power of two is
/// added to its length if the element at its new end still is smaller. The result is -1 for a
/// value that is not there.
extern "C" long binary_search(const int *values, long count, int wanted) {
    if (count == 0) {
        return -1;
    }
    long smaller = 0;
    for (long step = highest_power_of_two(count); step > 0; step /= 2) {
        if (smaller + step <= count && values[smaller + step - 1] < wanted) {
            smaller += step;
        }
    }
    return smaller < count && values[smaller] == wanted ? smaller : -1;
}
