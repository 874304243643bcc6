// SPDX-License-Identifier: Apache-2.0
// Goes from odd number to odd number and counts the halvings between them in one go.

/** Shifts all trailing zero bits out of a non-zero number and returns how many there were. */
static int strip_zeros(unsigned long *number) {
    int zeros = 0;
    for (int width = 32; width > 0; width /= 2) {
        unsigned long low_bits = (1UL << width) - 1;
        if ((*number & low_bits) == 0) {
            *number >>= width;
            zeros += width;
        }
    }
    return zeros;
}

/**
 * Finds the length of the Collatz sequence, as the number of its steps until it reaches one.
 *
 * The number 3n + 1 is formed as n + (2n + 1) from an odd n. There is no sequence from zero, for
 * which the result is -1.
 */
long collatz_length(unsigned long start) {
    if (start == 0) {
        return -1;
    }
    unsigned long odd = start;
    long steps = strip_zeros(&odd);
    while (odd != 1) {
        odd += (odd << 1) | 1;
        steps += 1 + strip_zeros(&odd);
    }
    return steps;
}
