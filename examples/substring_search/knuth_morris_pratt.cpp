// SPDX-License-Identifier: Apache-2.0
// Knuth, Morris and Pratt: never goes back in the text, falls back in the pattern instead.

#include <string_view>
#include <vector>

using Borders = std::vector<std::size_t>;

/// Returns how many characters of the pattern match once `character` follows `matched` of them.
static std::size_t advance(std::string_view pattern, const Borders &borders, std::size_t matched,
                           char character) {
    while (matched > 0 && pattern[matched] != character) {
        matched = borders[matched - 1];
    }
    return pattern[matched] == character ? matched + 1 : matched;
}

/// Returns, for every prefix of the pattern, the length of its longest proper prefix that is also
/// its suffix.
static Borders borders_of(std::string_view pattern) {
    Borders borders(pattern.size(), 0);
    for (std::size_t i = 1; i < pattern.size(); ++i) {
        borders[i] = advance(pattern, borders, borders[i - 1], pattern[i]);
    }
    return borders;
}

/// Returns the index of the first occurrence of the pattern in the text, or -1 if there is none.
/// The empty pattern occurs at index 0.
extern "C" int substring_search(const char *text, const char *pattern) {
    const std::string_view needle(pattern);
    if (needle.empty()) {
        return 0;
    }
    const Borders borders = borders_of(needle);
    std::size_t matched = 0;
    for (int i = 0; text[i] != '\0'; ++i) {
        matched = advance(needle, borders, matched, text[i]);
        if (matched == needle.size()) {
            return i + 1 - static_cast<int>(matched);
        }
    }
    return -1;
}
