// SPDX-License-Identifier: Apache-2.0
// Checks string_reverse_words against known answers.

#include <stdio.h>
#include <string.h>

void string_reverse_words(char *text);

static const char *const CASES[][2] = {
    {"", ""},
    {"word", "word"},
    {"two words", "words two"},
    {"the quick brown fox", "fox brown quick the"},
    {" ", " "},
    {"   ", "   "},
    {" leading", "leading "},
    {"trailing  ", "  trailing"},
    {"a  b c", "c b  a"},
    {" a bb  ccc ", " ccc  bb a "},
    {"a b", "b a"},
    {"one, two; three.", "three. two; one,"},
    {"tabs\tstay here", "here tabs\tstay"},
};

int main(void) {
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[64];
        strcpy(text, CASES[i][0]);
        string_reverse_words(text);
        if (strcmp(text, CASES[i][1]) != 0) {
            printf("\"%s\": got \"%s\", expected \"%s\"\n", CASES[i][0], text, CASES[i][1]);
            return 1;
        }
    }
    return 0;
}
