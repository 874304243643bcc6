// SPDX-License-Identifier: Apache-2.0
// Tries every place in the text in turn.

#include <stdbool.h>

/// Tells whether the text begins with the pattern.
static bool begins_with(const char *text, const char *pattern) {
    while (*pattern != '\0') {
        if (*text++ != *pattern++) {
            return false;
        }
    }
    return true;
}

/// Returns the index of the first occurrence of the pattern in the text, or -1 if there is none.
/// The empty pattern occurs at index 0.
int substring_search(const char *text, const char *pattern) {
    const char *candidate = text;
    do {
        if (begins_with(candidate, pattern)) {
            return (int)(candidate - text);
        }
    } while (*candidate++ != '\0');
    return -1;
}
