// SPDX-License-Identifier: Apache-2.0
// Prepares the substitute of every character and then only looks them up.

#include <limits.h>
#include <stddef.h>

enum { SYMBOLS = UCHAR_MAX + 1 };

static const char ALPHABETS[][27] = {"abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"};

/// Fills in the substitute of every character: itself, or for a letter the shifted one.
static void fill_substitutes(unsigned char substitutes[SYMBOLS], int shift) {
    for (int symbol = 0; symbol < SYMBOLS; symbol++) {
        substitutes[symbol] = (unsigned char)symbol;
    }
    for (size_t i = 0; i < sizeof ALPHABETS / sizeof *ALPHABETS; i++) {
        int target = shift % 26;
        if (target < 0) {
            target += 26;
        }
        for (const char *letter = ALPHABETS[i]; *letter != '\0'; letter++) {
            substitutes[(unsigned char)*letter] = (unsigned char)ALPHABETS[i][target];
            target = target == 25 ? 0 : target + 1;
        }
    }
}

/// Moves every letter of the text `shift` places on in the alphabet, in place, going from Z back
/// to A and keeping case. A negative shift moves backwards; everything else stays as it is.
void caesar_shift(char *text, int shift) {
    unsigned char substitutes[SYMBOLS];
    fill_substitutes(substitutes, shift);
    for (unsigned char *cursor = (unsigned char *)text; *cursor != '\0'; cursor++) {
        *cursor = substitutes[*cursor];
    }
}
