// SPDX-License-Identifier: Apache-2.0
// Checks anagram_check against known answers, in both orders of the arguments.

#include <stdio.h>

int anagram_check(const char *first, const char *second);

static const struct {
    const char *first;
    const char *second;
    int expected;
} CASES[] = {
    {"", "", 1},
    {"", "a", 0},
    {"", "!?", 1},
    {"a", "A", 1},
    {"a", "b", 0},
    {"listen", "silent", 1},
    {"listen", "silents", 0},
    {"aab", "abb", 0},
    {"Dormitory", "Dirty room!", 1},
    {"The Morse code", "Here come dots", 1},
    {"astronomer", "moon starer", 1},
    {"astronomer", "moon starers", 0},
    {"zZ1", "2Zz", 1},
    {"@a[", "`A{", 1},
    {"aaaa", "aaa", 0},
};

int main(void) {
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        int forth = anagram_check(CASES[i].first, CASES[i].second);
        int back = anagram_check(CASES[i].second, CASES[i].first);
        if (forth != CASES[i].expected || back != CASES[i].expected) {
            printf("\"%s\" and \"%s\": got %d and %d, expected %d\n", CASES[i].first,
                   CASES[i].second, forth, back, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
