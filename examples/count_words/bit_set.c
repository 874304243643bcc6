// SPDX-License-Identifier: Apache-2.0
// No branch on the characters: white space is a set of bits, and word starts are added up.

#include <stdint.h>

static const uint64_t WHITE_SPACE = UINT64_C(1) << ' ' | UINT64_C(1) << '\t' | UINT64_C(1) << '\n' |
                                    UINT64_C(1) << '\v' | UINT64_C(1) << '\f' | UINT64_C(1) << '\r';

/// Returns 1 for a character that belongs to a word and 0 for white space.
static unsigned in_word(unsigned char character) {
    unsigned has_bit = character >> 6 == 0;
    unsigned bit = (unsigned)(WHITE_SPACE >> (character & 63)) & 1U;
    return (has_bit & bit) ^ 1U;
}

/// Returns the number of words in the text, a word being a longest stretch without white space.
int count_words(const char *text) {
    unsigned words = 0;
    unsigned before = 0;
    while (*text != '\0') {
        unsigned now = in_word((unsigned char)*text++);
        words += now & ~before;
        before = now;
    }
    return (int)words;
}
