// SPDX-License-Identifier: Apache-2.0
// Moves every element straight to its place, along the cycles of the rotation.

/** Follows one cycle: each hole is filled with the element `shift` places further on. */
static void rotate_cycle(int *values, long count, long shift, long start) {
    int saved = values[start];
    long hole = start;
    long source = (hole + shift) % count;
    while (source != start) {
        values[hole] = values[source];
        hole = source;
        source = (hole + shift) % count;
    }
    values[hole] = saved;
}

/** Returns the greatest common divisor of a positive and a non-negative number. */
static long common_divisor(long a, long b) {
    return b == 0 ? a : common_divisor(b, a % b);
}

/**
 * Shifts an array cyclically: element i takes the place i - shift, modulo the length.
 *
 * The rotation has as many cycles as the greatest common divisor of length and shift, and their
 * first elements are next to each other.
 */
void rotate_array(int *values, long count, long shift) {
    if (count == 0) {
        return;
    }
    shift = (shift % count + count) % count;
    long cycles = common_divisor(count, shift);
    for (long start = 0; start < cycles; ++start) {
        rotate_cycle(values, count, shift, start);
    }
}
