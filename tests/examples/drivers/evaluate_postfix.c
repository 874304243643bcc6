// SPDX-License-Identifier: Apache-2.0
// Checks evaluate_postfix against known answers; a failed evaluation must not store anything.

#include <limits.h>
#include <stdio.h>

int evaluate_postfix(const char *expression, int *result);

enum { UNTOUCHED = 123456789 };

static const struct {
    const char *expression;
    int succeeds;
    int expected;
} CASES[] = {
    {"7", 1, 7},
    {"2 3 +", 1, 5},
    {"2 3+", 1, 5},
    {"2 3 -", 1, -1},
    {"6 7 *", 1, 42},
    {"7 2 /", 1, 3},
    {"0 7 - 2 /", 1, -3},
    {"1 2 + 3 4 + *", 1, 21},
    {"5 1 2 + 4 * + 3 -", 1, 14},
    {"  12   10-  ", 1, 2},
    {"1 2 3 4 5 + + + +", 1, 15},
    {"00000000000000000012", 1, 12},
    {"2147483647", 1, INT_MAX},
    {"0 2147483647 - 1 -", 1, INT_MIN},
    {"", 0, 0},
    {"   ", 0, 0},
    {"+", 0, 0},
    {"1 +", 0, 0},
    {"1 2", 0, 0},
    {"1 2 + +", 0, 0},
    {"1 2 3 +", 0, 0},
    {"+ 1 2", 0, 0},
    {"1 0 /", 0, 0},
    {"1 2 %", 0, 0},
    {"x", 0, 0},
    {"1 x 2 +", 0, 0},
    {"2147483648", 0, 0},
    {"99999999999999999999", 0, 0},
    {"2147483647 1 +", 0, 0},
    {"65536 65536 *", 0, 0},
    {"0 2147483647 - 1 - 0 1 - /", 0, 0},
    {"2147483647 1 + 1 -", 0, 0},
};

int main(void) {
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        int expected = CASES[i].succeeds ? CASES[i].expected : UNTOUCHED;
        int result = UNTOUCHED;
        int succeeded = evaluate_postfix(CASES[i].expression, &result);
        if (succeeded != CASES[i].succeeds || result != expected) {
            printf("\"%s\": got %d (%d), expected %d (%d)\n", CASES[i].expression, result,
                   succeeded, expected, CASES[i].succeeds);
            return 1;
        }
    }
    return 0;
}
