// SPDX-License-Identifier: Apache-2.0
// An object that is fed one character at a time and knows what may come next.

#include <cctype>
#include <limits>

namespace {

class IntegerReader {
public:
    /// Takes the next character and tells whether it still belongs to the number.
    bool accept(char character) {
        const unsigned char symbol = static_cast<unsigned char>(character);
        if (std::isdigit(symbol)) {
            stage_ = Stage::digits;
            append(symbol - '0');
            return true;
        }
        if (stage_ != Stage::before) {
            return false;
        }
        if (symbol == '+' || symbol == '-') {
            stage_ = Stage::after_sign;
            negative_ = symbol == '-';
            return true;
        }
        return std::isspace(symbol) != 0;
    }

    /// Returns the number that the characters accepted so far make up.
    int value() const {
        return negative_ ? static_cast<int>(-static_cast<long long>(magnitude_))
                         : static_cast<int>(magnitude_);
    }

private:
    enum class Stage { before, after_sign, digits };

    /// Returns the greatest magnitude that the sign allows.
    unsigned limit() const {
        return static_cast<unsigned>(std::numeric_limits<int>::max()) + (negative_ ? 1U : 0U);
    }

    /// Appends a digit to the magnitude, which stays at the limit once it would go beyond.
    void append(unsigned digit) {
        const bool fits = magnitude_ <= (limit() - digit) / 10;
        magnitude_ = fits ? 10 * magnitude_ + digit : limit();
    }

    Stage stage_ = Stage::before;
    bool negative_ = false;
    unsigned magnitude_ = 0;
};

}  // namespace

/// Reads white space, an optional sign and decimal digits, and returns their value. Reading ends
/// at the first other character; without digits the value is 0. A value that no int can hold
/// becomes the largest or the smallest int.
extern "C" int parse_integer(const char *text) {
    IntegerReader reader;
    while (reader.accept(*text)) {
        ++text;
    }
    return reader.value();
}
