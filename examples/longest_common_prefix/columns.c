// SPDX-License-Identifier: Apache-2.0
// Compares the words column by column until one of them ends or differs.

#include <stdbool.h>

/// Tells whether all words have the same character in this column and none ends there.
static bool column_agrees(const char *const *words, int count, int column) {
    char wanted = words[0][column];
    if (wanted == '\0') {
        return false;
    }
    for (int i = 1; i < count; i++) {
        if (words[i][column] != wanted) {
            return false;
        }
    }
    return true;
}

/// Returns the length of the longest prefix that all words share; 0 if there are no words.
int longest_common_prefix(const char *const *words, int count) {
    int length = 0;
    if (count > 0) {
        while (column_agrees(words, count, length)) {
            length++;
        }
    }
    return length;
}
