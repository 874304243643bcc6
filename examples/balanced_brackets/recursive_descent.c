// SPDX-License-Identifier: Apache-2.0
// Recursion follows the nesting: each call reads what one pair of brackets encloses.

#include <stddef.h>

/// Returns the bracket that closes an opening one, or 0 if the character opens nothing.
static char closer_of(char character) {
    switch (character) {
    case '(':
        return ')';
    case '[':
        return ']';
    case '{':
        return '}';
    default:
        return 0;
    }
}

/// Tells whether the character is a closing bracket.
static int closes(char character) {
    return character == ')' || character == ']' || character == '}';
}

/// Reads balanced text up to a closing bracket or the end and returns where it stopped, or NULL
/// if a bracket inside has no partner.
static const char *read_balanced(const char *cursor) {
    while (*cursor != '\0' && !closes(*cursor)) {
        char closer = closer_of(*cursor++);
        if (closer != 0) {
            cursor = read_balanced(cursor);
            if (cursor == NULL || *cursor != closer) {
                return NULL;
            }
            cursor++;
        }
    }
    return cursor;
}

/// Returns 1 if every round, square and curly bracket in the text has its partner and they are
/// properly nested, and 0 otherwise. Other characters are ignored.
int balanced_brackets(const char *text) {
    const char *end = read_balanced(text);
    return end != NULL && *end == '\0';
}
