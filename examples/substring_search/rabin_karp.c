// SPDX-License-Identifier: Apache-2.0
// Rabin and Karp: slides a hash of the window over the text and compares only where hashes agree.

#include <stdint.h>
#include <string.h>

static const uint32_t BASE = 257;

/// Returns the hash of a window that has been lengthened by one character.
static uint32_t append(uint32_t hash, char character) {
    return hash * BASE + (unsigned char)character;
}

/// Returns the hash of the first `length` characters.
static uint32_t hash_of(const char *text, size_t length) {
    uint32_t hash = 0;
    for (size_t i = 0; i < length; i++) {
        hash = append(hash, text[i]);
    }
    return hash;
}

/// Returns the weight that the first character has in the hash of a window just lengthened to
/// `length` + 1 characters.
static uint32_t leading_weight(size_t length) {
    uint32_t weight = 1;
    while (length-- > 0) {
        weight *= BASE;
    }
    return weight;
}

/// Returns the index of the first occurrence of the pattern in the text, or -1 if there is none.
/// The empty pattern occurs at index 0.
int substring_search(const char *text, const char *pattern) {
    size_t window = strlen(pattern);
    size_t length = strlen(text);
    if (window > length) {
        return -1;
    }
    uint32_t wanted = hash_of(pattern, window);
    uint32_t hash = hash_of(text, window);
    uint32_t weight = leading_weight(window);
    for (size_t start = 0;; start++) {
        if (hash == wanted && memcmp(text + start, pattern, window) == 0) {
            return (int)start;
        }
        if (start + window == length) {
            return -1;
        }
        hash = append(hash, text[start + window]) - weight * (unsigned char)text[start];
    }
}
