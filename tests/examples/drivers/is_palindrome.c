// SPDX-License-Identifier: Apache-2.0
// Checks is_palindrome against known answers.

#include <stdio.h>

int is_palindrome(const char *text);

static const struct {
    const char *text;
    int expected;
} CASES[] = {
    {"", 1},
    {"x", 1},
    {"ab", 0},
    {"aa", 1},
    {"level", 1},
    {"levels", 0},
    {"noon", 1},
    {"Noon", 1},
    {"A man, a plan, a canal: Panama!", 1},
    {"A man, a plan, a canal: Suez!", 0},
    {"?!...", 1},
    {"...a", 1},
    {"0P", 0},
    {"12 3 21", 1},
    {"12 3 2 2", 0},
    {"a@A", 1},
    {"[a{", 1},
    {"abca", 0},
};

int main(void) {
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        int answer = is_palindrome(CASES[i].text);
        if (answer != CASES[i].expected) {
            printf("\"%s\": got %d, expected %d\n", CASES[i].text, answer, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
