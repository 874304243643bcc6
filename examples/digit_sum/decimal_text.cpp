// SPDX-License-Identifier: Apache-2.0
// Writes the number out and adds up the characters that are digits.

#include <numeric>
#include <string>

/// Returns what a character of a decimal notation contributes, which is nothing for the sign.
static int digit_value(char character) {
    return character == '-' ? 0 : character - '0';
}

/// Returns the sum of the digits in the decimal notation of a number, leaving the sign aside.
extern "C" int digit_sum(long value) {
    const std::string text = std::to_string(value);
    return std::accumulate(text.begin(), text.end(), 0, [](int sum, char character) {
        return sum + digit_value(character);
    });
}
