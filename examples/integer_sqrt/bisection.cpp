// SPDX-License-Identifier: Apache-2.0
// Halves an interval that encloses the root.

#include <algorithm>
#include <limits>

/// Says whether root * root <= n, without ever forming the square.
static bool square_is_at_most(unsigned long root, unsigned long n) {
    return root == 0 || root <= n / root;
}

/// Finds the largest integer whose square does not exceed n.
extern "C" unsigned long integer_sqrt(unsigned long n) {
    constexpr unsigned long kTooLarge = 1UL << (std::numeric_limits<unsigned long>::digits / 2);

    unsigned long low = 0;
    unsigned long high = std::min(n, kTooLarge - 1) + 1;
    while (high - low > 1) {
        const unsigned long middle = low + (high - low) / 2;
        if (square_is_at_most(middle, n)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}
