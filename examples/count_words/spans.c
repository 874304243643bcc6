// SPDX-License-Identifier: Apache-2.0
// Hops over gaps and words with the span functions of the C library.

#include <string.h>

static const char WHITE_SPACE[] = " \t\n\v\f\r";

/// Returns the start of the first word at or after the cursor, or the end of the text.
static const char *skip_gap(const char *cursor) {
    return cursor + strspn(cursor, WHITE_SPACE);
}

/// Returns the end of the word that starts at the cursor.
static const char *skip_word(const char *cursor) {
    return cursor + strcspn(cursor, WHITE_SPACE);
}

/// Returns the number of words in the text, a word being a longest stretch without white space.
int count_words(const char *text) {
    int words = 0;
    const char *cursor = skip_gap(text);
    while (*cursor != '\0') {
        words++;
        cursor = skip_gap(skip_word(cursor));
    }
    return words;
}
