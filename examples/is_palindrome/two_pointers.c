// SPDX-License-Identifier: Apache-2.0
// Two pointers walk from the ends towards each other and step over what does not count.

#include <ctype.h>
#include <string.h>

/// Tells whether the character is a letter or a digit.
static int counts(char character) {
    return isalnum((unsigned char)character) != 0;
}

/// Returns 1 if the letters and digits of the text read the same from both ends, whatever their
/// case, and 0 otherwise. A text without any is a palindrome.
int is_palindrome(const char *text) {
    const char *left = text;
    const char *right = text + strlen(text);
    while (left < right) {
        if (!counts(*left)) {
            left++;
        } else if (!counts(right[-1])) {
            right--;
        } else if (tolower((unsigned char)*left++) != tolower((unsigned char)*--right)) {
            return 0;
        }
    }
    return 1;
}
