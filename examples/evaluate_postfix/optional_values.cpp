// SPDX-License-Identifier: Apache-2.0
// Values that may be missing: every step hands on an optional, and a missing one ends the run.

#include <charconv>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

/// Returns the value as an int if an int can hold it.
static std::optional<int> narrowed(long long value) {
    if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max()) {
        return std::nullopt;
    }
    return static_cast<int>(value);
}

/// Returns the result of the operation if there is one.
static std::optional<int> combined(long long left, char operation, long long right) {
    switch (operation) {
        case '+': return narrowed(left + right);
        case '-': return narrowed(left - right);
        case '*': return narrowed(left * right);
        case '/': return right == 0 ? std::nullopt : narrowed(left / right);
        default: return std::nullopt;
    }
}

/// Removes the value on top of the stack and returns it, if there is one.
static std::optional<int> popped(std::vector<int> &stack) {
    if (stack.empty()) {
        return std::nullopt;
    }
    const int top = stack.back();
    stack.pop_back();
    return top;
}

/// Cuts the first token off the text and returns what the stack gets for it, if that is anything.
static std::optional<int> evaluated_token(std::string_view &text, std::vector<int> &stack) {
    if (text.front() >= '0' && text.front() <= '9') {
        int number = 0;
        const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
        return error == std::errc() ? std::optional(number) : std::nullopt;
    }
    const char operation = text.front();
    text.remove_prefix(1);
    const std::optional<int> right = popped(stack);
    const std::optional<int> left = popped(stack);
    return left && right ? combined(*left, operation, *right) : std::nullopt;
}

/// Evaluates an expression of decimal integers and the operators + - * / that follow their two
/// operands; spaces separate numbers. Stores the value and returns 1, or returns 0 and stores
/// nothing if the expression is malformed, divides by zero or meets a value that no int can hold.
extern "C" int evaluate_postfix(const char *expression, int *result) {
    std::string_view text(expression);
    std::vector<int> stack;
    while (!text.empty()) {
        if (text.front() == ' ') {
            text.remove_prefix(1);
        } else if (const std::optional<int> value = evaluated_token(text, stack)) {
            stack.push_back(*value);
        } else {
            return 0;
        }
    }
    if (stack.size() != 1) {
        return 0;
    }
    *result = stack.back();
    return 1;
}
