// SPDX-License-Identifier: Apache-2.0
// Prints the number, turns the text round and reads it back.

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>

/// Returns the number whose decimal notation, after any minus sign, is that of value backwards.
///
/// A text that no int can hold is reported by the conversion, and then the answer is zero.
extern "C" int reverse_integer(int value) {
    std::string text = std::to_string(value);
    const auto first_digit = text.begin() + (value < 0 ? 1 : 0);
    std::reverse(first_digit, text.end());

    int reversed = 0;
    const auto outcome = std::from_chars(text.data(), text.data() + text.size(), reversed);
    return outcome.ec == std::errc() ? reversed : 0;
}
