// SPDX-License-Identifier: Apache-2.0
// Keeps only the brackets and strikes out adjacent pairs until there are none left to strike.

#include <string>

/// Returns the brackets of the text without anything else.
static std::string brackets_of(const std::string &text) {
    static const char *const BRACKETS = "()[]{}";
    std::string brackets;
    std::size_t place = text.find_first_of(BRACKETS);
    while (place != std::string::npos) {
        brackets += text[place];
        place = text.find_first_of(BRACKETS, place + 1);
    }
    return brackets;
}

/// Strikes out every occurrence of the pair and tells whether there was one.
static bool strike_out(std::string &brackets, const char *pair) {
    bool found = false;
    std::size_t place = brackets.find(pair);
    while (place != std::string::npos) {
        brackets.erase(place, 2);
        found = true;
        place = brackets.find(pair, place);
    }
    return found;
}

/// Returns 1 if every round, square and curly bracket in the text has its partner and they are
/// properly nested, and 0 otherwise. Other characters are ignored.
extern "C" int balanced_brackets(const char *text) {
    std::string brackets = brackets_of(text);
    bool changed = true;
    while (changed) {
        changed = false;
        for (const char *pair : {"()", "[]", "{}"}) {
            changed = strike_out(brackets, pair) || changed;
        }
    }
    return brackets.empty();
}
