// SPDX-License-Identifier: Apache-2.0
// For each decimal place, takes the longest spelling of a digit that the text goes on with.

#include <array>
#include <string_view>

using Spellings = std::array<std::string_view, 10>;

static constexpr std::array<Spellings, 4> PLACES = {{
    {"", "M", "MM", "MMM"},
    {"", "C", "CC", "CCC", "CD", "D", "DC", "DCC", "DCCC", "CM"},
    {"", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC"},
    {"", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"},
}};

/// Returns the digit with the longest spelling that the text begins with; 0 has an empty one.
static std::size_t leading_digit(std::string_view text, const Spellings &spellings) {
    std::size_t best = 0;
    for (std::size_t digit = 1; digit < spellings.size(); ++digit) {
        const std::string_view spelling = spellings[digit];
        if (spelling.size() > spellings[best].size() &&
            text.substr(0, spelling.size()) == spelling) {
            best = digit;
        }
    }
    return best;
}

/// Returns the value of a Roman numeral in capital letters, from 1 to 3999, or 0 if the text is
/// not one in the usual form.
extern "C" int roman_to_integer(const char *numeral) {
    std::string_view rest(numeral);
    std::size_t value = 0;
    for (const Spellings &spellings : PLACES) {
        const std::size_t digit = leading_digit(rest, spellings);
        rest.remove_prefix(spellings[digit].size());
        value = 10 * value + digit;
    }
    return rest.empty() ? static_cast<int>(value) : 0;
}
