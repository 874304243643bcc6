// SPDX-License-Identifier: Apache-2.0
// Moves digit after digit over, looking out for overflow before every step.

#include <limits.h>

/**
 * Reverses the decimal digits of a number and keeps its sign.
 *
 * The result is 0 when the reversed number does not fit into an int.
 */
int reverse_integer(int value) {
    int reversed = 0;
    while (value != 0) {
        int digit = value % 10;
        if (reversed > INT_MAX / 10 || (reversed == INT_MAX / 10 && digit > INT_MAX % 10)) {
            return 0;
        }
        if (reversed < INT_MIN / 10 || (reversed == INT_MIN / 10 && digit < INT_MIN % 10)) {
            return 0;
        }
        reversed = reversed * 10 + digit;
        value /= 10;
    }
    return reversed;
}
