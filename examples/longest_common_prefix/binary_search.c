// SPDX-License-Identifier: Apache-2.0
// Prefixes of a shared prefix are shared, so the longest length is found by bisection.

#include <string.h>

/// Returns the length of the shortest word. There must be at least one word.
static size_t shortest_length(const char *const *words, int count) {
    size_t shortest = strlen(words[0]);
    for (int i = 1; i < count; i++) {
        size_t length = strlen(words[i]);
        if (length < shortest) {
            shortest = length;
        }
    }
    return shortest;
}

/// Tells whether all words begin with the first `length` characters of the first word.
static int is_shared(const char *const *words, int count, size_t length) {
    for (int i = 1; i < count; i++) {
        if (strncmp(words[0], words[i], length) != 0) {
            return 0;
        }
    }
    return 1;
}

/// Returns the length of the longest prefix that all words share; 0 if there are no words.
int longest_common_prefix(const char *const *words, int count) {
    if (count == 0) {
        return 0;
    }
    size_t shared = 0;
    size_t limit = shortest_length(words, count);
    while (shared < limit) {
        size_t middle = limit - (limit - shared) / 2;
        if (is_shared(words, count, middle)) {
            shared = middle;
        } else {
            limit = middle - 1;
        }
    }
    return (int)shared;
}
