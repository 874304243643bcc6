// SPDX-License-Identifier: Apache-2.0
// Recursion: rotate the first run of characters to the end, then treat what now stands before it.

#include <stddef.h>
#include <string.h>

/// Returns the greatest common divisor of two numbers of which at most one is zero.
static size_t common_divisor(size_t a, size_t b) {
    return b == 0 ? a : common_divisor(b, a % b);
}

/// Rotates the first `length` characters to the left by `shift`, following each cycle of the
/// permutation once.
static void rotate_left(char *text, size_t length, size_t shift) {
    size_t cycles = common_divisor(length, shift);
    for (size_t start = 0; start < cycles; start++) {
        char kept = text[start];
        size_t hole = start;
        size_t from = (start + shift) % length;
        while (from != start) {
            text[hole] = text[from];
            hole = from;
            from = (from + shift) % length;
        }
        text[hole] = kept;
    }
}

/// Returns how many characters at the start of the text are all spaces or all something else.
static size_t first_run(const char *text, size_t length) {
    size_t run = 1;
    while (run < length && (text[run] == ' ') == (text[0] == ' ')) {
        run++;
    }
    return run;
}

/// Reverses the order of the runs in the first `length` characters.
static void reverse_runs(char *text, size_t length) {
    if (length == 0) {
        return;
    }
    size_t run = first_run(text, length);
    rotate_left(text, length, run);
    reverse_runs(text, length - run);
}

/// Puts the words of the text in reverse order, in place. Words are separated by spaces; runs of
/// spaces keep their length and change places along with the words.
void string_reverse_words(char *text) {
    reverse_runs(text, strlen(text));
}
