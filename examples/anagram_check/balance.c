// SPDX-License-Identifier: Apache-2.0
// Counts letters up for the first text and down for the second; all counts must come out even.

#include <ctype.h>

enum { LETTERS = 26 };

/// Adds `step` to the count of every letter each time it occurs in the text.
static void tally(const char *text, int step, int counts[LETTERS]) {
    for (; *text != '\0'; text++) {
        int letter = tolower((unsigned char)*text) - 'a';
        if (letter >= 0 && letter < LETTERS) {
            counts[letter] += step;
        }
    }
}

/// Returns 1 if both texts consist of the same letters, each equally often, and 0 otherwise.
/// Case and everything that is not a letter are ignored.
int anagram_check(const char *first, const char *second) {
    int counts[LETTERS] = {0};
    tally(first, 1, counts);
    tally(second, -1, counts);
    for (int letter = 0; letter < LETTERS; letter++) {
        if (counts[letter] != 0) {
            return 0;
        }
    }
    return 1;
}
