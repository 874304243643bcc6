// SPDX-License-Identifier: Apache-2.0
// The prefix of a list is the overlap of the prefixes of its two halves.

#include <string.h>

/// Returns the smaller of two lengths.
static int smaller(int a, int b) {
    return a < b ? a : b;
}

/// Returns how many of the first `limit` characters two words have in common.
static int overlap(const char *a, const char *b, int limit) {
    int length = 0;
    while (length < limit && a[length] == b[length]) {
        length++;
    }
    return length;
}

/// Returns the length of the prefix shared by the words from index `low` up to, not including,
/// `high`, of which there must be one or more.
static int shared_between(const char *const *words, int low, int high) {
    if (high - low == 1) {
        return (int)strlen(words[low]);
    }
    int middle = low + (high - low) / 2;
    int left = shared_between(words, low, middle);
    int right = shared_between(words, middle, high);
    return overlap(words[low], words[middle], smaller(left, right));
}

/// Returns the length of the longest prefix that all words share; 0 if there are no words.
int longest_common_prefix(const char *const *words, int count) {
    return count == 0 ? 0 : shared_between(words, 0, count);
}
