// SPDX-License-Identifier: Apache-2.0
// Never counts: the decimal number behind the last character is turned on like an odometer.

#include <stddef.h>

/// Adds one to the decimal number in the half-open span and returns where the number then ends.
static char *turn_on(char *first, char *last) {
    for (char *digit = last; digit != first;) {
        --digit;
        if (*digit != '9') {
            ++*digit;
            return last;
        }
        *digit = '0';
    }
    *first = '1';
    *last = '0';
    return last + 1;
}

/// Writes each run of equal characters as the character and the length of the run in decimal
/// ("aaab" becomes "a3b1"), closes the output with a zero and returns its length. The output
/// needs room for twice as many characters as the text has, and the zero.
int run_length_encode(const char *text, char *out) {
    char *end = out;
    char *run = NULL;
    for (; *text != '\0'; ++text) {
        if (run != NULL && *run == *text) {
            end = turn_on(run + 1, end);
        } else {
            run = end;
            *end++ = *text;
            *end++ = '1';
        }
    }
    *end = '\0';
    return (int)(end - out);
}
