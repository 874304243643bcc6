// SPDX-License-Identifier: Apache-2.0
// Crosses every letter of the first text out of a list of the second text's letters.

#include <cctype>
#include <list>

/// Returns the letters of the text in lower case, in the order in which they stand.
static std::list<int> letters_of(const char *text) {
    std::list<int> letters;
    for (; *text != '\0'; ++text) {
        const unsigned char character = static_cast<unsigned char>(*text);
        if (std::isalpha(character)) {
            letters.push_back(std::tolower(character));
        }
    }
    return letters;
}

/// Removes the first occurrence of the letter and tells whether there was one.
static bool cross_out(std::list<int> &letters, int letter) {
    for (auto position = letters.begin(); position != letters.end(); ++position) {
        if (*position == letter) {
            letters.erase(position);
            return true;
        }
    }
    return false;
}

/// Returns 1 if both texts consist of the same letters, each equally often, and 0 otherwise.
/// Case and everything that is not a letter are ignored.
extern "C" int anagram_check(const char *first, const char *second) {
    std::list<int> unmatched = letters_of(second);
    for (int letter : letters_of(first)) {
        if (!cross_out(unmatched, letter)) {
            return 0;
        }
    }
    return unmatched.empty();
}
