// SPDX-License-Identifier: Apache-2.0
// A parser with one procedure for a decimal digit, called for the thousands, hundreds, tens, ones.

/// Moves the cursor over up to three of the given symbol and returns how many there were.
static int read_repeated(const char **cursor, char symbol) {
    int count = 0;
    while (count < 3 && **cursor == symbol) {
        ++*cursor;
        ++count;
    }
    return count;
}

/// Reads one digit written with symbols for one, five and ten, and returns it; 0 if there is none.
static int read_digit(const char **cursor, char one, char five, char ten) {
    const char *start = *cursor;
    if (start[0] == one && (start[1] == five || start[1] == ten)) {
        *cursor += 2;
        return start[1] == five ? 4 : 9;
    }
    if (start[0] == five) {
        ++*cursor;
        return 5 + read_repeated(cursor, one);
    }
    return read_repeated(cursor, one);
}

/// Returns the value of a Roman numeral in capital letters, from 1 to 3999, or 0 if the text is
/// not one in the usual form.
int roman_to_integer(const char *numeral) {
    const char *cursor = numeral;
    int value = 1000 * read_repeated(&cursor, 'M');
    value += 100 * read_digit(&cursor, 'C', 'D', 'M');
    value += 10 * read_digit(&cursor, 'X', 'L', 'C');
    value += read_digit(&cursor, 'I', 'V', 'X');
    return *cursor == '\0' ? value : 0;
}
