// SPDX-License-Identifier: Apache-2.0
// Remembers the complements asked for by earlier elements in a hash set of the library.

#include <unordered_set>

/// Checks whether some element is what an earlier element lacks to the target.
///
/// Returns 1 as soon as one is found and 0 after all elements have been seen.
extern "C" int two_sum_exists(const int *values, long count, int target) {
    std::unordered_set<long> lacking;
    lacking.reserve(static_cast<std::size_t>(count));
    for (const int *value = values; value != values + count; ++value) {
        if (lacking.find(*value) != lacking.end()) {
            return 1;
        }
        lacking.insert(static_cast<long>(target) - *value);
    }
    return 0;
}
