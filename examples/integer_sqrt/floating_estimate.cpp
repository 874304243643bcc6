// SPDX-License-Identifier: Apache-2.0
// Trusts the floating-point unit for most bits and mends the last ones in integers.

#include <cmath>

/// Returns floor(sqrt(n)) for any unsigned long.
///
/// A double has fewer bits than n, so the estimate may be off by one in either direction. The
/// quotient comparisons avoid squares, which could overflow for an estimate of 2^32.
extern "C" unsigned long integer_sqrt(unsigned long n) {
    auto root = static_cast<unsigned long>(std::sqrt(static_cast<double>(n)));
    while (root > 0 && root > n / root) {
        --root;
    }
    while (root + 1 <= n / (root + 1)) {
        ++root;
    }
    return root;
}
