// SPDX-License-Identifier: Apache-2.0
// Checks parse_integer against known answers.

#include <limits.h>
#include <stdio.h>

int parse_integer(const char *text);

static const struct {
    const char *text;
    int expected;
} CASES[] = {
    {"", 0},
    {"0", 0},
    {"7", 7},
    {"42", 42},
    {"-42", -42},
    {"+42", 42},
    {" \t\n\v\f\r17", 17},
    {"12 34", 12},
    {"3.14", 3},
    {"99 bottles", 99},
    {"bottles 99", 0},
    {"-", 0},
    {"+-5", 0},
    {"- 5", 0},
    {"-0", 0},
    {"000000000000000000012", 12},
    {"-000000000000000000012", -12},
    {"2147483646", 2147483646},
    {"2147483647", INT_MAX},
    {"2147483648", INT_MAX},
    {"2147483650", INT_MAX},
    {"-2147483647", -2147483647},
    {"-2147483648", INT_MIN},
    {"-2147483649", INT_MIN},
    {"99999999999999999999999999", INT_MAX},
    {"-99999999999999999999999999", INT_MIN},
    {"4294967297", INT_MAX},
    {"-3000000000x", INT_MIN},
    {"\xb2""5", 0},
};

int main(void) {
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        int answer = parse_integer(CASES[i].text);
        if (answer != CASES[i].expected) {
            printf("\"%s\": got %d, expected %d\n", CASES[i].text, answer, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
