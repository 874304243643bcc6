// SPDX-License-Identifier: Apache-2.0
// Fixes the answer byte by byte from the top, with a histogram of the next byte each time.

#include <array>
#include <cstdint>

/// Maps an int to an unsigned number so that the order stays the same.
static std::uint32_t ordered_key(int value) {
    return static_cast<std::uint32_t>(value) ^ 0x80000000u;
}

/// Undoes ordered_key.
static int value_of_key(std::uint32_t key) {
    const auto offset = static_cast<std::int64_t>(key) - 0x80000000LL;
    return static_cast<int>(offset);
}

/// Determines the k-th order statistic, with k running from zero to count - 1.
///
/// Among the elements that agree with the prefix known so far, the histogram tells which byte
/// comes next in the one of rank k, and how many of them the smaller bytes account for.
extern "C" int kth_smallest(const int *values, long count, long k) {
    std::uint32_t prefix = 0;
    std::uint32_t known = 0;  // mask of the bytes of prefix that are settled
    for (int shift = 24; shift >= 0; shift -= 8) {
        std::array<long, 256> histogram{};
        for (long i = 0; i < count; ++i) {
            const std::uint32_t key = ordered_key(values[i]);
            if ((key & known) == prefix) {
                ++histogram[(key >> shift) & 0xFF];
            }
        }
        std::uint32_t byte = 0;
        while (k >= histogram[byte]) {
            k -= histogram[byte++];
        }
        prefix |= byte << shift;
        known |= 0xFFu << shift;
    }
    return value_of_key(prefix);
}
