// SPDX-License-Identifier: Apache-2.0
// Adds up the symbols carelessly and accepts the sum only if it is written in just this way.

#include <string>
#include <string_view>
#include <utility>

/// Returns the value of one symbol, or 0 if there is no such symbol.
static int symbol_value(char symbol) {
    switch (symbol) {
        case 'I': return 1;
        case 'V': return 5;
        case 'X': return 10;
        case 'L': return 50;
        case 'C': return 100;
        case 'D': return 500;
        case 'M': return 1000;
        default: return 0;
    }
}

/// Returns the usual Roman numeral of a number from 1 to 3999.
static std::string to_roman(int number) {
    static constexpr std::pair<int, std::string_view> PARTS[] = {
        {1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"},
        {40, "XL"},  {10, "X"},   {9, "IX"},  {5, "V"},    {4, "IV"},  {1, "I"},
    };
    std::string numeral;
    for (const auto &[value, symbols] : PARTS) {
        for (; number >= value; number -= value) {
            numeral += symbols;
        }
    }
    return numeral;
}

/// Returns the value of a Roman numeral in capital letters, from 1 to 3999, or 0 if the text is
/// not one in the usual form.
extern "C" int roman_to_integer(const char *numeral) {
    static constexpr std::size_t LONGEST = std::string_view("MMMDCCCLXXXVIII").size();
    const std::string_view symbols(numeral);
    if (symbols.size() > LONGEST) {
        return 0;
    }
    int sum = 0;
    int right_neighbour = 0;
    for (auto symbol = symbols.rbegin(); symbol != symbols.rend(); ++symbol) {
        const int value = symbol_value(*symbol);
        sum += value < right_neighbour ? -value : value;
        right_neighbour = value;
    }
    return sum > 0 && sum < 4000 && to_roman(sum) == symbols ? sum : 0;
}
