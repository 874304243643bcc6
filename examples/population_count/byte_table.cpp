// SPDX-License-Identifier: Apache-2.0
// Looks every byte up in a table that the compiler works out.

#include <array>

/// Builds the number of ones for each byte; dropping the lowest bit leads to an earlier entry.
static constexpr std::array<unsigned char, 256> count_byte_bits() {
    std::array<unsigned char, 256> counts{};
    for (unsigned byte = 1; byte < counts.size(); ++byte) {
        counts[byte] = static_cast<unsigned char>(counts[byte >> 1] + (byte & 1));
    }
    return counts;
}

static constexpr auto kBitsInByte = count_byte_bits();

/// Returns how many bits of the word are set, a byte at a time.
extern "C" int population_count(unsigned long word) {
    int total = 0;
    do {
        total += kBitsInByte[word & 0xFF];
        word >>= 8;
    } while (word != 0);
    return total;
}
