// SPDX-License-Identifier: Apache-2.0
// Checks caesar_shift against known answers, and that the opposite shift undoes it.

#include <limits.h>
#include <stdio.h>
#include <string.h>

void caesar_shift(char *text, int shift);

static const struct {
    const char *text;
    int shift;
    const char *expected;
} CASES[] = {
    {"", 3, ""},
    {"abc", 0, "abc"},
    {"abc", 1, "bcd"},
    {"xyz", 3, "abc"},
    {"XYZ", 3, "ABC"},
    {"abc", -1, "zab"},
    {"Hello, World!", 13, "Uryyb, Jbeyq!"},
    {"Hello, World!", 26, "Hello, World!"},
    {"Hello, World!", 29, "Khoor, Zruog!"},
    {"Hello, World!", -27, "Gdkkn, Vnqkc!"},
    {"@[`{ 0123456789", 5, "@[`{ 0123456789"},
    {"\xc1\xda\xe1\xfa gr\xc3\xbc\xc3\x9f", 1, "\xc1\xda\xe1\xfa hs\xc3\xbc\xc3\x9f"},
    {"The quick brown fox jumps over the lazy dog", 25,
     "Sgd pthbj aqnvm enw itlor nudq sgd kzyx cnf"},
    {"az", INT_MAX, "xw"},
    {"az", INT_MIN, "cb"},
};

int main(void) {
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[64];
        strcpy(text, CASES[i].text);
        caesar_shift(text, CASES[i].shift);
        if (strcmp(text, CASES[i].expected) != 0) {
            printf("\"%s\" by %d: got \"%s\", expected \"%s\"\n", CASES[i].text, CASES[i].shift,
                   text, CASES[i].expected);
            return 1;
        }
        caesar_shift(text, -(CASES[i].shift % 26));
        if (strcmp(text, CASES[i].text) != 0) {
            printf("\"%s\" by %d and back: got \"%s\"\n", CASES[i].text, CASES[i].shift, text);
            return 1;
        }
    }
    return 0;
}
