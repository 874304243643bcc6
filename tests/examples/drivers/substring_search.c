// SPDX-License-Identifier: Apache-2.0
// Checks substring_search against known answers.

#include <stdio.h>

int substring_search(const char *text, const char *pattern);

static const struct {
    const char *text;
    const char *pattern;
    int expected;
} CASES[] = {
    {"", "", 0},
    {"abc", "", 0},
    {"", "a", -1},
    {"abc", "abcd", -1},
    {"abc", "abc", 0},
    {"hello", "ll", 2},
    {"hello", "lo", 3},
    {"hello", "o", 4},
    {"hello", "world", -1},
    {"aaaaab", "aab", 3},
    {"aaaaa", "aab", -1},
    {"abababac", "ababac", 2},
    {"abcabcabd", "abcabd", 3},
    {"mississippi", "issip", 4},
    {"mississippi", "issi", 1},
    {"na\xc3\xafve caf\xc3\xa9", "caf\xc3\xa9", 7},
    {"aabaabaaab", "aabaaa", 3},
};

int main(void) {
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        int answer = substring_search(CASES[i].text, CASES[i].pattern);
        if (answer != CASES[i].expected) {
            printf("\"%s\" in \"%s\": got %d, expected %d\n", CASES[i].pattern, CASES[i].text,
                   answer, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
