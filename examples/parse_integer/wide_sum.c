// SPDX-License-Identifier: Apache-2.0
// Sums up in a type wider than int and stops as soon as the sum leaves its range.

#include <ctype.h>
#include <limits.h>

/// Returns the value of the leading digits with the given sign, or the nearest int.
static int signed_value(const char *digits, int sign) {
    long long value = 0;
    while (isdigit((unsigned char)*digits)) {
        value = 10 * value + sign * (*digits++ - '0');
        if (value > INT_MAX) {
            return INT_MAX;
        }
        if (value < INT_MIN) {
            return INT_MIN;
        }
    }
    return (int)value;
}

/// Reads white space, an optional sign and decimal digits, and returns their value. Reading ends
/// at the first other character; without digits the value is 0. A value that no int can hold
/// becomes the largest or the smallest int.
int parse_integer(const char *text) {
    while (isspace((unsigned char)*text)) {
        text++;
    }
    if (*text == '-') {
        return signed_value(text + 1, -1);
    }
    return signed_value(*text == '+' ? text + 1 : text, 1);
}
