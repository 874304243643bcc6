// SPDX-License-Identifier: Apache-2.0
// An outer loop over the runs, an inner one that measures each of them.

/// Writes a positive number in decimal and returns where the writing ended.
static char *write_decimal(char *out, int number) {
    int scale = 1;
    while (number / scale >= 10) {
        scale *= 10;
    }
    for (; scale > 0; scale /= 10) {
        *out++ = (char)('0' + number / scale % 10);
    }
    return out;
}

/// Writes each run of equal characters as the character and the length of the run in decimal
/// ("aaab" becomes "a3b1"), closes the output with a zero and returns its length. The output
/// needs room for twice as many characters as the text has, and the zero.
int run_length_encode(const char *text, char *out) {
    char *end = out;
    int start = 0;
    while (text[start] != '\0') {
        int stop = start + 1;
        while (text[stop] == text[start]) {
            stop++;
        }
        *end++ = text[start];
        end = write_decimal(end, stop - start);
        start = stop;
    }
    *end = '\0';
    return (int)(end - out);
}
