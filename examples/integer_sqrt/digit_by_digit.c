// SPDX-License-Identifier: Apache-2.0
// The pen-and-paper method in base two: pairs of bits come down, one bit of the root goes up.

#include <limits.h>

enum { BITS = sizeof(unsigned long) * CHAR_BIT };

/**
 * Extracts the integer part of the square root of n.
 *
 * With r the root so far, the next bit is one if the remainder can pay for 4r + 1, which is what
 * appending that bit adds to the square.
 */
unsigned long integer_sqrt(unsigned long n) {
    unsigned long remainder = 0;
    unsigned long root = 0;
    for (int shift = BITS - 2; shift >= 0; shift -= 2) {
        unsigned long price = (root << 2) | 1;
        remainder = (remainder << 2) | ((n >> shift) & 3);
        root <<= 1;
        if (remainder >= price) {
            remainder -= price;
            root |= 1;
        }
    }
    return root;
}
