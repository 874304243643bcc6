// SPDX-License-Identifier: Apache-2.0
// Checks count_words against known answers.

#include <stdio.h>

int count_words(const char *text);

static const struct {
    const char *text;
    int expected;
} CASES[] = {
    {"", 0},
    {" ", 0},
    {" \t\n\v\f\r ", 0},
    {"a", 1},
    {" a", 1},
    {"a ", 1},
    {"word", 1},
    {"two words", 2},
    {"  two   words  ", 2},
    {"one\ttwo\nthree\rfour\vfive\fsix", 6},
    {"it's a well-known text.", 4},
    {"a b c d e f g h", 8},
    {"caf\xc3\xa9 cr\xc3\xa8me", 2},
    {"`x` {y}", 2},
};

int main(void) {
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        int answer = count_words(CASES[i].text);
        if (answer != CASES[i].expected) {
            printf("\"%s\": got %d, expected %d\n", CASES[i].text, answer, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
