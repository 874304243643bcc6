// SPDX-License-Identifier: Apache-2.0
// Stays within int: sums up below zero, where there is room for one number more, and looks ahead.

#include <limits.h>
#include <stdbool.h>

/// Returns the digit that a character stands for, or -1 if it is not a digit.
static int digit_of(char character) {
    unsigned digit = (unsigned char)character - (unsigned)'0';
    return digit < 10 ? (int)digit : -1;
}

/// Tells whether `10 * sum - digit` is an int, for a sum of at most zero.
static bool has_room(int sum, int digit) {
    return sum > INT_MIN / 10 || (sum == INT_MIN / 10 && digit <= -(INT_MIN % 10));
}

/// Reads white space, an optional sign and decimal digits, and returns their value. Reading ends
/// at the first other character; without digits the value is 0. A value that no int can hold
/// becomes the largest or the smallest int.
int parse_integer(const char *text) {
    while (*text == ' ' || (*text >= '\t' && *text <= '\r')) {
        ++text;
    }
    const bool negative = *text == '-';
    if (negative || *text == '+') {
        ++text;
    }
    int sum = 0;
    for (int digit; (digit = digit_of(*text)) >= 0; ++text) {
        if (!has_room(sum, digit)) {
            sum = INT_MIN;
            break;
        }
        sum = 10 * sum - digit;
    }
    if (negative) {
        return sum;
    }
    return sum == INT_MIN ? INT_MAX : -sum;
}
