// SPDX-License-Identifier: Apache-2.0
// Recursive descent that always goes on with the remainder nearest to a multiple.

#include <algorithm>
#include <cstdlib>

/// Descends from a pair of non-negative numbers with the first at least as large as the second.
///
/// A remainder r of a division by d may be replaced by d - r, which shares the same divisors;
/// the smaller of the two halves the pair at every level.
static long descend(long larger, long smaller) {
    if (smaller == 0) {
        return larger;
    }
    const long above = larger % smaller;
    const long below = smaller - above;
    return descend(smaller, std::min(above, below));
}

/// Gives the greatest common divisor of a and b, zero if both are zero.
///
/// The signs are ignored. LONG_MIN, which has no magnitude, is not a valid argument.
extern "C" long gcd(long a, long b) {
    const auto [smaller, larger] = std::minmax({std::labs(a), std::labs(b)});
    return descend(larger, smaller);
}
