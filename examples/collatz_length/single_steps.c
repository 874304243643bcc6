// SPDX-License-Identifier: Apache-2.0
// Follows the rule literally, one step at a time.

/**
 * Counts the steps that the Collatz rule takes from a positive start to 1.
 *
 * An even number is halved, an odd one is tripled and increased by one. No number on the way may
 * exceed 64 bits. A start of zero, which leads nowhere, gives -1.
 */
long collatz_length(unsigned long start) {
    if (start == 0) {
        return -1;
    }
    long steps = 0;
    unsigned long number = start;
    while (number != 1) {
        if (number % 2 == 0) {
            number /= 2;
        } else {
            number = 3 * number + 1;
        }
        ++steps;
    }
    return steps;
}
