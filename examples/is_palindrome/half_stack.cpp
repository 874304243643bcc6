// SPDX-License-Identifier: Apache-2.0
// Puts the first half on a stack and takes it off again while reading the second half.

#include <array>
#include <stack>

using FoldTable = std::array<char, 256>;

/// Returns a table that gives a letter's lower case, a digit itself, and 0 for anything else.
static FoldTable make_fold_table() {
    FoldTable table{};
    for (int digit = '0'; digit <= '9'; ++digit) {
        table[digit] = static_cast<char>(digit);
    }
    for (int offset = 0; offset < 26; ++offset) {
        table['a' + offset] = table['A' + offset] = static_cast<char>('a' + offset);
    }
    return table;
}

/// Returns the next folded letter or digit and moves the cursor past it; 0 at the end.
static char next_symbol(const FoldTable &table, const char *&cursor) {
    while (*cursor != '\0') {
        const char symbol = table[static_cast<unsigned char>(*cursor++)];
        if (symbol != 0) {
            return symbol;
        }
    }
    return 0;
}

/// Returns 1 if the letters and digits of the text read the same from both ends, whatever their
/// case, and 0 otherwise. A text without any is a palindrome.
extern "C" int is_palindrome(const char *text) {
    const FoldTable table = make_fold_table();
    int symbols = 0;
    for (const char *cursor = text; next_symbol(table, cursor) != 0;) {
        ++symbols;
    }
    std::stack<char> first_half;
    for (int i = 0; i < symbols / 2; ++i) {
        first_half.push(next_symbol(table, text));
    }
    if (symbols % 2 == 1) {
        next_symbol(table, text);
    }
    while (!first_half.empty() && first_half.top() == next_symbol(table, text)) {
        first_half.pop();
    }
    return first_half.empty();
}
