// SPDX-License-Identifier: Apache-2.0
// Two texts are anagrams if their sorted letters are the same string.

#include <algorithm>
#include <string>

/// Returns the letters of the text in lower case and in alphabetical order.
static std::string sorted_letters(std::string text) {
    for (char &c : text) {
        if (c >= 'A' && c <= 'Z') {
            c = static_cast<char>(c | 0x20);
        }
    }
    text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c < 'a' || c > 'z'; }),
               text.end());
    std::sort(text.begin(), text.end());
    return text;
}

/// Returns 1 if both texts consist of the same letters, each equally often, and 0 otherwise.
/// Case and everything that is not a letter are ignored.
extern "C" int anagram_check(const char *first, const char *second) {
    return sorted_letters(first) == sorted_letters(second) ? 1 : 0;
}
