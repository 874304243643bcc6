// SPDX-License-Identifier: Apache-2.0
// Checks edit_distance against known answers, in both orders of the arguments.

#include <stdio.h>

int edit_distance(const char *first, const char *second);

static const struct {
    const char *first;
    const char *second;
    int expected;
} CASES[] = {
    {"", "", 0},
    {"", "a", 1},
    {"", "abc", 3},
    {"a", "a", 0},
    {"a", "b", 1},
    {"ab", "ba", 2},
    {"abc", "abc", 0},
    {"abc", "abd", 1},
    {"abc", "ac", 1},
    {"abc", "xabc", 1},
    {"kitten", "sitting", 3},
    {"saturday", "sunday", 3},
    {"intention", "execution", 5},
    {"flaw", "lawn", 2},
    {"abcdef", "ghijkl", 6},
    {"aaaaaaaa", "aa", 6},
    {"abcabcabc", "bcabcabca", 2},
    {"rosettacode", "raisethysword", 8},
    {"levenshtein", "frankenstein", 6},
    {"\xc3\xa9t\xc3\xa9", "ete", 4},
};

int main(void) {
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        int forth = edit_distance(CASES[i].first, CASES[i].second);
        int back = edit_distance(CASES[i].second, CASES[i].first);
        if (forth != CASES[i].expected || back != CASES[i].expected) {
            printf("\"%s\" and \"%s\": got %d and %d, expected %d\n", CASES[i].first,
                   CASES[i].second, forth, back, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
