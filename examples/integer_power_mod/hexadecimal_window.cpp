// SPDX-License-Identifier: Apache-2.0
// Fixed-window exponentiation: one table look-up for every hexadecimal digit of the exponent.

#include <array>
#include <climits>

static constexpr int kDigitBits = 4;
static constexpr int kDigits = sizeof(unsigned long) * CHAR_BIT / kDigitBits;

using PowerTable = std::array<unsigned long, 1 << kDigitBits>;

/// Lists the powers of a reduced base from the zeroth to the fifteenth.
static PowerTable small_powers(unsigned long base, unsigned long modulus) {
    PowerTable powers{};
    powers[0] = 1 % modulus;
    for (std::size_t i = 1; i < powers.size(); ++i) {
        powers[i] = powers[i - 1] * base % modulus;
    }
    return powers;
}

/// Returns the remainder of base^exponent on division by a modulus of at most 2^32.
///
/// The digits are consumed from the most significant one: four squarings shift the exponent
/// gathered so far by one digit, and one multiplication adds the next digit.
extern "C" unsigned long integer_power_mod(unsigned long base, unsigned long exponent,
                                           unsigned long modulus) {
    const PowerTable powers = small_powers(base % modulus, modulus);
    unsigned long result = powers[0];
    for (int digit = kDigits - 1; digit >= 0; --digit) {
        for (int i = 0; i < kDigitBits; ++i) {
            result = result * result % modulus;
        }
        result = result * powers[(exponent >> (digit * kDigitBits)) & 0xF] % modulus;
    }
    return result;
}
