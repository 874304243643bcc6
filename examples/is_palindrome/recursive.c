// SPDX-License-Identifier: Apache-2.0
// A text is a palindrome if its ends agree and the text between them is one.

#include <stddef.h>
#include <string.h>

/// Returns the lower-case form of a letter, a digit itself, and 0 for anything else.
static char fold(char c) {
    if (c >= 'A' && c <= 'Z') {
        return (char)(c - 'A' + 'a');
    }
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : 0;
}

/// Tells whether `length` characters from `text` on read the same both ways.
static int mirrored(const char *text, size_t length) {
    if (length < 2) {
        return 1;
    }
    char first = fold(text[0]);
    if (first == 0) {
        return mirrored(text + 1, length - 1);
    }
    char last = fold(text[length - 1]);
    if (last == 0) {
        return mirrored(text, length - 1);
    }
    return first == last && mirrored(text + 1, length - 2);
}

/// Returns 1 if the letters and digits of the text read the same from both ends, whatever their
/// case, and 0 otherwise. A text without any is a palindrome.
int is_palindrome(const char *text) {
    return mirrored(text, strlen(text));
}
