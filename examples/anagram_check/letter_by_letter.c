// SPDX-License-Identifier: Apache-2.0
// Goes through both texts once for each letter of the alphabet and keeps no table.

#include <stddef.h>

/// Returns how often a letter, given in lower case, occurs in the text in either case.
static size_t occurrences(const char *text, char lower) {
    const char upper = (char)(lower - 'a' + 'A');
    size_t found = 0;
    while (*text != '\0') {
        found += *text == lower || *text == upper;
        ++text;
    }
    return found;
}

/// Returns 1 if both texts consist of the same letters, each equally often, and 0 otherwise.
/// Case and everything that is not a letter are ignored.
int anagram_check(const char *first, const char *second) {
    char letter = 'a';
    while (letter <= 'z' && occurrences(first, letter) == occurrences(second, letter)) {
        ++letter;
    }
    return letter > 'z';
}
