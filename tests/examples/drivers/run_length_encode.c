// SPDX-License-Identifier: Apache-2.0
// Checks run_length_encode against known answers, among them runs whose length has more digits.

#include <stdio.h>
#include <string.h>

int run_length_encode(const char *text, char *out);

static const char *const CASES[][2] = {
    {"", ""},
    {"a", "a1"},
    {"aa", "a2"},
    {"ab", "a1b1"},
    {"aaab", "a3b1"},
    {"abbb", "a1b3"},
    {"aabbaa", "a2b2a2"},
    {"aAa", "a1A1a1"},
    {"   ", " 3"},
    {"1122", "1222"},
    {"wwwwwwwwwwwwbwwww", "w12b1w4"},
    {"\xc3\xa4\xc3\xa4", "\xc3""1\xa4""1\xc3""1\xa4""1"},
};

/// Checks one text; returns 0 if the encoding and its length are right.
static int check(const char *text, const char *expected) {
    static char out[2048];
    int length = run_length_encode(text, out);
    if (strcmp(out, expected) == 0 && length == (int)strlen(expected)) {
        return 0;
    }
    printf("\"%s\": got \"%s\" (%d), expected \"%s\"\n", text, out, length, expected);
    return 1;
}

/// Checks a text of one run of the given length.
static int check_single_run(int length) {
    char text[1024];
    char expected[16];
    memset(text, 'z', (size_t)length);
    text[length] = '\0';
    snprintf(expected, sizeof expected, "z%d", length);
    return check(text, expected);
}

int main(void) {
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        if (check(CASES[i][0], CASES[i][1]) != 0) {
            return 1;
        }
    }
    return check_single_run(9) || check_single_run(10) || check_single_run(99) ||
           check_single_run(100) || check_single_run(199) || check_single_run(1000);
}
