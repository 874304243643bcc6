// SPDX-License-Identifier: Apache-2.0
// A stack holds the closing brackets still to come, the nearest on top.

#include <stack>
#include <string_view>

/// Returns 1 if every round, square and curly bracket in the text has its partner and they are
/// properly nested, and 0 otherwise. Other characters are ignored.
extern "C" int balanced_brackets(const char *text) {
    static constexpr std::string_view OPENERS = "([{";
    static constexpr std::string_view CLOSERS = ")]}";
    std::stack<char> expected;
    for (const char symbol : std::string_view(text)) {
        const std::size_t kind = OPENERS.find(symbol);
        if (kind != std::string_view::npos) {
            expected.push(CLOSERS[kind]);
        } else if (CLOSERS.find(symbol) != std::string_view::npos) {
            if (expected.empty() || expected.top() != symbol) {
                return 0;
            }
            expected.pop();
        }
    }
    return expected.empty();
}
