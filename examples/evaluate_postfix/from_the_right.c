// SPDX-License-Identifier: Apache-2.0
// Read from the right, an operator announces its operands, which recursion then finds.

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

/// The part of the expression that has not been read yet.
struct unread {
    const char *start;
    const char *end;
};

/// Drops the spaces at the end and returns the last character, or 0 if there is none.
static char last_symbol(struct unread *text) {
    while (text->end != text->start && text->end[-1] == ' ') {
        text->end--;
    }
    return text->end == text->start ? '\0' : text->end[-1];
}

/// Takes the number off the end and stores its value if an int can hold it.
static bool take_number(struct unread *text, long long *value) {
    const char *stop = text->end;
    while (text->end != text->start && isdigit((unsigned char)text->end[-1])) {
        text->end--;
    }
    *value = 0;
    for (const char *digit = text->end; digit != stop && *value <= INT_MAX; digit++) {
        *value = 10 * *value + (*digit - '0');
    }
    return *value <= INT_MAX;
}

/// Takes an operand of any form off the end and stores its value if it has one.
static bool take_operand(struct unread *text, long long *value) {
    char symbol = last_symbol(text);
    if (isdigit((unsigned char)symbol)) {
        return take_number(text, value);
    }
    if (symbol == '\0' || strchr("+-*/", symbol) == NULL) {
        return false;
    }
    text->end--;
    long long left, right;
    if (!take_operand(text, &right) || !take_operand(text, &left) ||
        (symbol == '/' && right == 0)) {
        return false;
    }
    *value = symbol == '+'   ? left + right
             : symbol == '-' ? left - right
             : symbol == '*' ? left * right
                             : left / right;
    return *value >= INT_MIN && *value <= INT_MAX;
}

/// Evaluates an expression of decimal integers and the operators + - * / that follow their two
/// operands; spaces separate numbers. Stores the value and returns 1, or returns 0 and stores
/// nothing if the expression is malformed, divides by zero or meets a value that no int can hold.
int evaluate_postfix(const char *expression, int *result) {
    struct unread text = {expression, expression + strlen(expression)};
    long long value;
    if (!take_operand(&text, &value) || last_symbol(&text) != '\0') {
        return 0;
    }
    *result = (int)value;
    return 1;
}
