// SPDX-License-Identifier: Apache-2.0
// Stores the digits in an array and compares them with those of the largest int.

#include <limits.h>

enum { MOST_DIGITS = 10 };  // as many as a 32-bit int can have

/** Fills an array with the digits of a number, lowest first, and returns how many there are. */
static int split_digits(unsigned number, int digits[MOST_DIGITS]) {
    int count = 0;
    for (; number != 0; number /= 10) {
        digits[count++] = (int)(number % 10);
    }
    return count;
}

/** Says whether ten digits, highest first, stand for a number greater than `bound`. */
static int exceeds(const int digits[MOST_DIGITS], unsigned bound) {
    int bound_digits[MOST_DIGITS];
    int count = split_digits(bound, bound_digits);
    for (int i = 0; i < count; ++i) {
        int difference = digits[i] - bound_digits[count - 1 - i];
        if (difference != 0) {
            return difference > 0;
        }
    }
    return 0;
}

/**
 * Reads the digits of an int backwards, with its sign kept.
 *
 * Only a number with ten digits can turn into one that an int cannot hold; it yields 0 then.
 */
int reverse_integer(int value) {
    int digits[MOST_DIGITS];
    int count = split_digits(value < 0 ? 0u - (unsigned)value : (unsigned)value, digits);
    if (count == MOST_DIGITS && exceeds(digits, INT_MAX)) {
        return 0;
    }
    int reversed = 0;
    for (int i = 0; i < count; ++i) {
        reversed = reversed * 10 + digits[i];
    }
    return value < 0 ? -reversed : reversed;
}
