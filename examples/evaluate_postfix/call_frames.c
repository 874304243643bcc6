// SPDX-License-Identifier: Apache-2.0
// The stack is a linked list that never changes; its cells live in the frames of the recursion.

#include <limits.h>
#include <stddef.h>

/// A value on the stack and what lies below it.
struct cell {
    long long value;
    const struct cell *below;
};

/// Tells whether an int can hold the value.
static int fits(long long value) {
    return INT_MIN <= value && value <= INT_MAX;
}

/// Returns the result of the operation, or a value that does not fit if there is none.
static long long combine(long long left, char operation, long long right) {
    if (operation == '+') {
        return left + right;
    }
    if (operation == '-') {
        return left - right;
    }
    if (operation == '*') {
        return left * right;
    }
    return operation == '/' && right != 0 ? left / right : LLONG_MAX;
}

/// Evaluates the rest of the expression on the given stack. Returns the one value that is left in
/// the end, or a value that does not fit.
static long long evaluate_on(const struct cell *top, const char *rest) {
    if (top != NULL && !fits(top->value)) {
        return LLONG_MAX;
    }
    while (*rest == ' ') {
        rest++;
    }
    if (*rest == '\0') {
        return top != NULL && top->below == NULL ? top->value : LLONG_MAX;
    }
    struct cell pushed = {0, top};
    if (*rest >= '0' && *rest <= '9') {
        while (*rest >= '0' && *rest <= '9' && fits(pushed.value)) {
            pushed.value = 10 * pushed.value + (*rest++ - '0');
        }
    } else {
        if (top == NULL || top->below == NULL) {
            return LLONG_MAX;
        }
        pushed.value = combine(top->below->value, *rest++, top->value);
        pushed.below = top->below->below;
    }
    return evaluate_on(&pushed, rest);
}

/// Evaluates an expression of decimal integers and the operators + - * / that follow their two
/// operands; spaces separate numbers. Stores the value and returns 1, or returns 0 and stores
/// nothing if the expression is malformed, divides by zero or meets a value that no int can hold.
int evaluate_postfix(const char *expression, int *result) {
    long long value = evaluate_on(NULL, expression);
    if (fits(value)) {
        *result = (int)value;
    }
    return fits(value);
}
