// SPDX-License-Identifier: Apache-2.0
// Keeps nothing: walks back from each closing bracket to its partner, and counts both kinds.

/// Returns 1 for an opening bracket, -1 for a closing one and 0 for any other character.
static int direction(char c) {
    if (c == '(' || c == '[' || c == '{') {
        return 1;
    }
    return c == ')' || c == ']' || c == '}' ? -1 : 0;
}

/// Tells whether one bracket opens and the other closes the same kind of pair.
static int are_partners(char opener, char closer) {
    return (opener == '(' && closer == ')') || (opener == '[' && closer == ']') ||
           (opener == '{' && closer == '}');
}

/// Tells whether the bracket that was opened last before the closing one at `place` is its
/// partner. What stands before it must have been found in order already.
static int is_closed_rightly(const char *text, int place) {
    int depth = -1;
    for (int i = place - 1; i >= 0; i--) {
        depth += direction(text[i]);
        if (depth == 0) {
            return are_partners(text[i], text[place]);
        }
    }
    return 0;
}

/// Returns 1 if every round, square and curly bracket in the text has its partner and they are
/// properly nested, and 0 otherwise. Other characters are ignored.
int balanced_brackets(const char *text) {
    int open = 0;
    for (int i = 0; text[i] != '\0'; i++) {
        int step = direction(text[i]);
        if (step < 0 && !is_closed_rightly(text, i)) {
            return 0;
        }
        open += step;
    }
    return open == 0;
}
