// SPDX-License-Identifier: Apache-2.0
// Adds neighbouring bit fields in parallel inside one word.

#include <stdint.h>

/**
 * Counts the one bits of a word.
 *
 * Fields of one bit become fields of two, four and eight bits, each holding the count of the bits
 * it covers. The multiplication then adds all eight byte counts into the highest byte.
 */
int population_count(unsigned long word) {
    uint64_t counts = word;
    counts = (counts & 0x5555555555555555u) + ((counts >> 1) & 0x5555555555555555u);
    counts = (counts & 0x3333333333333333u) + ((counts >> 2) & 0x3333333333333333u);
    counts = (counts & 0x0f0f0f0f0f0f0f0fu) + ((counts >> 4) & 0x0f0f0f0f0f0f0f0fu);
    return (int)((counts * 0x0101010101010101u) >> 56);
}
