// SPDX-License-Identifier: Apache-2.0
// Recursion all the way: over the characters of a run, the digits of a number and the runs.

/// Writes a positive number in decimal and returns where the writing ended.
static char *put_number(unsigned number, char *out) {
    if (number >= 10) {
        out = put_number(number / 10, out);
    }
    *out = (char)('0' + number % 10);
    return out + 1;
}

/// Encodes the rest of the text, given that `length` copies of `symbol` have been read and not
/// yet written, and returns where the output ended.
static char *encode_rest(const char *rest, char symbol, unsigned length, char *out) {
    if (*rest == symbol && symbol != '\0') {
        return encode_rest(rest + 1, symbol, length + 1, out);
    }
    if (length > 0) {
        *out = symbol;
        out = put_number(length, out + 1);
    }
    return *rest == '\0' ? out : encode_rest(rest + 1, *rest, 1, out);
}

/// Writes each run of equal characters as the character and the length of the run in decimal
/// ("aaab" becomes "a3b1"), closes the output with a zero and returns its length. The output
/// needs room for twice as many characters as the text has, and the zero.
int run_length_encode(const char *text, char *out) {
    char *end = encode_rest(text, '\0', 0, out);
    *end = '\0';
    return (int)(end - out);
}
