// SPDX-License-Identifier: Apache-2.0
// Checks balanced_brackets against known answers.

#include <stdio.h>

int balanced_brackets(const char *text);

static const struct {
    const char *text;
    int expected;
} CASES[] = {
    {"", 1},
    {"no brackets", 1},
    {"()", 1},
    {"(", 0},
    {")", 0},
    {")(", 0},
    {"([]{})", 1},
    {"([)]", 0},
    {"(]", 0},
    {"[}", 0},
    {"{[()]}", 1},
    {"{[(])}", 0},
    {"(()", 0},
    {"())", 0},
    {"()()[]{}", 1},
    {"while (a[i] < f(x)) { i++; }", 1},
    {"while (a[i) < f(x]) { i++; }", 0},
    {"((((((((((((((((((((((()))))))))))))))))))))))", 1},
    {"((((((((((((((((((((((())))))))))))))))))))))", 0},
    {"<(>)", 1},
    {"[()[]()](", 0},
};

int main(void) {
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        int answer = balanced_brackets(CASES[i].text);
        if (answer != CASES[i].expected) {
            printf("\"%s\": got %d, expected %d\n", CASES[i].text, answer, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
