// SPDX-License-Identifier: Apache-2.0
// Counts the words of both halves; a word that lies across the cut was counted twice.

#include <cctype>
#include <string_view>

/// Tells whether the character belongs to a word.
static bool in_word(char character) {
    return std::isspace(static_cast<unsigned char>(character)) == 0;
}

/// Returns the number of words in a view of any length.
static int words_in(std::string_view text) {
    if (text.empty()) {
        return 0;
    }
    if (text.size() == 1) {
        return in_word(text.front()) ? 1 : 0;
    }
    const std::string_view left = text.substr(0, text.size() / 2);
    const std::string_view right = text.substr(left.size());
    const bool cut_through = in_word(left.back()) && in_word(right.front());
    return words_in(left) + words_in(right) - (cut_through ? 1 : 0);
}

/// Returns the number of words in the text, a word being a longest stretch without white space.
extern "C" int count_words(const char *text) {
    return words_in(text);
}
