// SPDX-License-Identifier: Apache-2.0
// A finite automaton whose state is the digit read so far; stuck, it tries the next lower place.

#include <string.h>

/// The digit that a digit becomes when a one, five or ten symbol follows; -1 if none may.
static const signed char NEXT_DIGIT[10][3] = {
    {1, 5, -1},  {2, 4, 9},   {3, -1, -1}, {-1, -1, -1}, {-1, -1, -1},
    {6, -1, -1}, {7, -1, -1}, {8, -1, -1}, {-1, -1, -1}, {-1, -1, -1},
};

/// The symbols for one, five and ten in each decimal place; nothing stands for 5000 and 10000.
static const char SYMBOLS[4][4] = {"IVX", "XLC", "CDM", "M"};

static const int PLACE_VALUES[4] = {1, 10, 100, 1000};

/// Returns the digit after the symbol has been read in the given place, or -1 if it does not fit.
static int next_digit(int place, int digit, char symbol) {
    const char *found = strchr(SYMBOLS[place], symbol);
    return found == NULL ? -1 : NEXT_DIGIT[digit][found - SYMBOLS[place]];
}

/// Returns the value of a Roman numeral in capital letters, from 1 to 3999, or 0 if the text is
/// not one in the usual form.
int roman_to_integer(const char *numeral) {
    int value = 0;
    int digit = 0;
    int place = 3;
    while (*numeral != '\0') {
        int next = next_digit(place, digit, *numeral);
        if (next >= 0) {
            digit = next;
            numeral++;
        } else if (place > 0) {
            value += digit * PLACE_VALUES[place];
            digit = 0;
            place--;
        } else {
            return 0;
        }
    }
    return value + digit * PLACE_VALUES[place];
}
