// SPDX-License-Identifier: Apache-2.0
// The textbook way: an array used as a stack, numbers pushed, operators replacing two by one.

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// Stores the value if an int can hold it, and tells whether it can.
static bool store(long long value, int *place) {
    if (value < INT_MIN || value > INT_MAX) {
        return false;
    }
    *place = (int)value;
    return true;
}

/// Replaces the left operand by the result of the operation; fails if there is none.
static bool apply(char operation, int *left, long long right) {
    switch (operation) {
    case '+':
        return store(*left + right, left);
    case '-':
        return store(*left - right, left);
    case '*':
        return store(*left * right, left);
    case '/':
        return right != 0 && store(*left / right, left);
    default:
        return false;
    }
}

/// Reads the digits at the cursor, moves it past them and stores their value.
static bool read_number(const char **cursor, int *place) {
    *place = 0;
    for (; **cursor >= '0' && **cursor <= '9'; ++*cursor) {
        if (!store(10LL * *place + (**cursor - '0'), place)) {
            return false;
        }
    }
    return true;
}

/// Runs the expression on an empty stack with room for all its numbers; tells whether exactly one
/// value is left, at the bottom.
static bool run(const char *cursor, int *stack) {
    int height = 0;
    while (*cursor != '\0') {
        if (*cursor >= '0' && *cursor <= '9') {
            if (!read_number(&cursor, &stack[height++])) {
                return false;
            }
        } else if (*cursor == ' ') {
            cursor++;
        } else {
            if (height < 2 || !apply(*cursor++, &stack[height - 2], stack[height - 1])) {
                return false;
            }
            height--;
        }
    }
    return height == 1;
}

/// Evaluates an expression of decimal integers and the operators + - * / that follow their two
/// operands; spaces separate numbers. Stores the value and returns 1, or returns 0 and stores
/// nothing if the expression is malformed, divides by zero, meets a value that no int can hold,
/// or memory runs out.
int evaluate_postfix(const char *expression, int *result) {
    int *stack = malloc((strlen(expression) / 2 + 1) * sizeof *stack);
    bool succeeded = stack != NULL && run(expression, stack);
    if (succeeded) {
        *result = stack[0];
    }
    free(stack);
    return succeeded;
}
