// SPDX-License-Identifier: Apache-2.0
// Arithmetic modulo 26 on the place of each letter in the alphabet.

enum { LETTERS = 26 };

/// Returns the letter `shift` places after this one, in an alphabet that begins at `first`.
static char rotate(char letter, char first, int shift) {
    int place = letter - first + shift;
    return (char)(first + place % LETTERS);
}

/// Moves every letter of the text `shift` places on in the alphabet, in place, going from Z back
/// to A and keeping case. A negative shift moves backwards; everything else stays as it is.
void caesar_shift(char *text, int shift) {
    int forward = (shift % LETTERS + LETTERS) % LETTERS;
    for (int i = 0; text[i] != '\0'; i++) {
        if (text[i] >= 'a' && text[i] <= 'z') {
            text[i] = rotate(text[i], 'a', forward);
        } else if (text[i] >= 'A' && text[i] <= 'Z') {
            text[i] = rotate(text[i], 'A', forward);
        }
    }
}
