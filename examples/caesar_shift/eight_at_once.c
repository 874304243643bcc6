// SPDX-License-Identifier: Apache-2.0
// Treats eight characters at a time as the lanes of one 64-bit word, without looking at any alone.

#include <stdint.h>
#include <string.h>

/// One in every lane, and the top bit of every lane.
static const uint64_t ONES = UINT64_C(0x0101010101010101);
static const uint64_t TOPS = UINT64_C(0x8080808080808080);

/// Sets the top bit of every lane whose value is greater than `bound`. All lanes must be below
/// 128 plus the bound, and the bound below 128.
static uint64_t lanes_above(uint64_t lanes, unsigned bound) {
    return (lanes + ONES * (127 - bound)) & TOPS;
}

/// Returns the word with the letters in it moved on by a shift from 0 to 25.
static uint64_t shift_lanes(uint64_t word, unsigned shift) {
    uint64_t folded = (word | ONES * 0x20) & ~TOPS;
    uint64_t tops = lanes_above(folded, 'a' - 1) & ~lanes_above(folded, 'z') & ~word;
    uint64_t letters = tops >> 7;
    uint64_t moved = (folded & letters * 0xff) + letters * shift;
    uint64_t beyond = lanes_above(moved, 'z') >> 7;
    return word + letters * shift - beyond * 26;
}

/// Moves every letter of the text `shift` places on in the alphabet, in place, going from Z back
/// to A and keeping case. A negative shift moves backwards; everything else stays as it is.
void caesar_shift(char *text, int shift) {
    unsigned forward = (unsigned)((shift % 26 + 26) % 26);
    size_t left = strlen(text);
    while (left > 0) {
        uint64_t word = 0;
        size_t step = left < sizeof word ? left : sizeof word;
        memcpy(&word, text, step);
        word = shift_lanes(word, forward);
        memcpy(text, &word, step);
        text += step;
        left -= step;
    }
}
