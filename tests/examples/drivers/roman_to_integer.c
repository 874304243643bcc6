// SPDX-License-Identifier: Apache-2.0
// Checks roman_to_integer against known answers, then with every numeral there is.

#include <stdio.h>

int roman_to_integer(const char *numeral);

static const struct {
    const char *numeral;
    int expected;
} CASES[] = {
    {"I", 1},        {"IV", 4},          {"IX", 9},           {"XIV", 14},      {"XL", 40},
    {"XC", 90},      {"CDXLIV", 444},    {"DCCCXC", 890},     {"CMXCIX", 999},  {"MCMXCIV", 1994},
    {"MMXXVI", 2026}, {"MMMCMXCIX", 3999}, {"MMMDCCCLXXXVIII", 3888},
    {"", 0},         {"IIII", 0},        {"VV", 0},           {"IC", 0},        {"VX", 0},
    {"IXI", 0},      {"IXX", 0},         {"CMCD", 0},         {"DCD", 0},       {"MMMM", 0},
    {"iv", 0},       {"XIZ", 0},         {"X I", 0},          {"IIX", 0},       {"CCD", 0},
    {"IVI", 0},      {"XCX", 0},         {"CMC", 0},          {"MCMC", 0},      {"LXL", 0},
    {"MMMMMMMMMMMMMMMMMMMMMMMMMM", 0},
};

static const char *const DIGITS[4][10] = {
    {"", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"},
    {"", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC"},
    {"", "C", "CC", "CCC", "CD", "D", "DC", "DCC", "DCCC", "CM"},
    {"", "M", "MM", "MMM"},
};

/// Checks one numeral; returns 0 if the answer is right.
static int check(const char *numeral, int expected) {
    int answer = roman_to_integer(numeral);
    if (answer == expected) {
        return 0;
    }
    printf("\"%s\": got %d, expected %d\n", numeral, answer, expected);
    return 1;
}

int main(void) {
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        if (check(CASES[i].numeral, CASES[i].expected) != 0) {
            return 1;
        }
    }
    for (int value = 1; value < 4000; value++) {
        char numeral[32];
        snprintf(numeral, sizeof numeral, "%s%s%s%s", DIGITS[3][value / 1000],
                 DIGITS[2][value / 100 % 10], DIGITS[1][value / 10 % 10], DIGITS[0][value % 10]);
        if (check(numeral, value) != 0) {
            return 1;
        }
    }
    return 0;
}
