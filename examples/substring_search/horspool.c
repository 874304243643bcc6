// SPDX-License-Identifier: Apache-2.0
// Horspool: compares from the right and skips as far as the window's last character allows.

#include <limits.h>
#include <string.h>

enum { SYMBOLS = UCHAR_MAX + 1 };

/// Fills in how far the window may move when its last character is the index of the entry.
static void fill_skips(size_t skips[SYMBOLS], const unsigned char *pattern, size_t length) {
    for (size_t symbol = 0; symbol < SYMBOLS; symbol++) {
        skips[symbol] = length;
    }
    for (size_t i = 0; i + 1 < length; i++) {
        skips[pattern[i]] = length - 1 - i;
    }
}

/// Returns the index of the first occurrence of the pattern in the text, or -1 if there is none.
/// The empty pattern occurs at index 0.
int substring_search(const char *text, const char *pattern) {
    const unsigned char *haystack = (const unsigned char *)text;
    const unsigned char *needle = (const unsigned char *)pattern;
    size_t haystack_length = strlen(text);
    size_t needle_length = strlen(pattern);
    size_t skips[SYMBOLS];
    fill_skips(skips, needle, needle_length);
    size_t end = needle_length;
    while (end <= haystack_length) {
        size_t matched = 0;
        while (matched < needle_length &&
               haystack[end - 1 - matched] == needle[needle_length - 1 - matched]) {
            matched++;
        }
        if (matched == needle_length) {
            return (int)(end - needle_length);
        }
        end += skips[haystack[end - 1]];
    }
    return -1;
}
