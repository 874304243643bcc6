// SPDX-License-Identifier: Apache-2.0
// Reverses the whole text, then every word in it back again.

#include <string.h>

/// Reverses the characters of the half-open span from first to last.
static void reverse_span(char *first, char *last) {
    while (first < last && first < --last) {
        char kept = *first;
        *first++ = *last;
        *last = kept;
    }
}

/// Puts the words of the text in reverse order, in place. Words are separated by spaces; runs of
/// spaces keep their length and change places along with the words.
void string_reverse_words(char *text) {
    char *end = text + strlen(text);
    reverse_span(text, end);
    char *cursor = text;
    while (cursor != end) {
        if (*cursor == ' ') {
            cursor++;
            continue;
        }
        char *word = cursor;
        while (cursor != end && *cursor != ' ') {
            cursor++;
        }
        reverse_span(word, cursor);
    }
}
