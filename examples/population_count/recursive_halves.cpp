// SPDX-License-Identifier: Apache-2.0
// Splits the word in two until a half is empty or a single bit.

#include <climits>

/// Counts the ones among the lowest `width` bits, above which the word must be clear.
static int count_ones(unsigned long bits, int width) {
    if (bits == 0 || width == 1) {
        return static_cast<int>(bits);
    }
    const int half = width / 2;
    const unsigned long low_mask = (1UL << half) - 1;
    return count_ones(bits & low_mask, half) + count_ones(bits >> half, width - half);
}

/// Gives the number of bits that are one in an unsigned long.
extern "C" int population_count(unsigned long word) {
    return count_ones(word, sizeof word * CHAR_BIT);
}
