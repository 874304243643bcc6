// SPDX-License-Identifier: Apache-2.0
// Uses Legendre's identity and never looks at a digit.

/**
 * Computes the sum of the decimal digits of the magnitude of a number.
 *
 * Each digit d at place 10^k contributes d * 10^k to the number and d * (10^k - 1) / 9 to the sum
 * of its quotients by 10, 100, 1000 and so on. The number less nine times the sum of these
 * quotients is therefore the sum of the digits.
 */
int digit_sum(long value) {
    unsigned long magnitude = (unsigned long)value;
    if (value < 0) {
        magnitude = 0 - magnitude;
    }
    unsigned long quotients = 0;
    for (unsigned long rest = magnitude / 10; rest > 0; rest /= 10) {
        quotients += rest;
    }
    return (int)(magnitude - 9 * quotients);
}
