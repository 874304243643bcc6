// SPDX-License-Identifier: Apache-2.0
// Compares the digits as text with the limit first, so that the conversion itself cannot overflow.

#include <limits.h>
#include <stdbool.h>
#include <string.h>

/// The digits of the largest int; the smallest is one further from zero.
static const char LARGEST[] = "2147483647";

_Static_assert(INT_MAX == 2147483647, "the limit is that of a 32-bit int");

/// Tells whether digits that do not begin with a zero stand for more than the largest int.
static bool exceeds_largest(const char *digits, size_t length) {
    size_t limit_length = strlen(LARGEST);
    if (length != limit_length) {
        return length > limit_length;
    }
    return memcmp(digits, LARGEST, length) > 0;
}

/// Returns the value of so many digits. It must fit.
static int value_of(const char *digits, size_t length) {
    int value = 0;
    for (size_t i = 0; i < length; i++) {
        value = 10 * value + (digits[i] - '0');
    }
    return value;
}

/// Reads white space, an optional sign and decimal digits, and returns their value. Reading ends
/// at the first other character; without digits the value is 0. A value that no int can hold
/// becomes the largest or the smallest int.
int parse_integer(const char *text) {
    const char *sign = text + strspn(text, " \t\n\v\f\r");
    const char *number = sign + (*sign == '+' || *sign == '-');
    const char *digits = number + strspn(number, "0");
    size_t length = strspn(digits, "0123456789");
    if (exceeds_largest(digits, length)) {
        return *sign == '-' ? INT_MIN : INT_MAX;
    }
    int magnitude = value_of(digits, length);
    return *sign == '-' ? -magnitude : magnitude;
}
