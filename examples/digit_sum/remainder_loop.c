// SPDX-License-Identifier: Apache-2.0
// Takes the decimal digits off the low end, one by one.

/**
 * Adds up the decimal digits of a number; a minus sign does not count.
 *
 * C rounds quotients towards zero, so a negative number gives its digits with a minus sign. This
 * way even LONG_MIN needs no special care.
 */
int digit_sum(long value) {
    int sum = 0;
    while (value != 0) {
        int digit = (int)(value % 10);
        if (digit < 0) {
            digit = -digit;
        }
        sum += digit;
        value /= 10;
    }
    return sum;
}
