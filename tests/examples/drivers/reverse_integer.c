// SPDX-License-Identifier: Apache-2.0
// Checks reverse_integer on known answers.

#include <limits.h>
#include <stdio.h>

int reverse_integer(int value);

static const struct {
    int value;
    int expected;
} CASES[] = {
    {0, 0},
    {5, 5},
    {-7, -7},
    {12, 21},
    {120, 21},
    {-340, -43},
    {1001, 1001},
    {123456789, 987654321},
    {-987654321, -123456789},
    {1000000003, 0},
    {2147447412, 2147447412},
    {1463847412, 2147483641},
    {1563847412, 0},
    {-1463847412, -2147483641},
    {-1563847412, 0},
    {INT_MAX, 0},
    {INT_MIN, 0},
    {1000000009, 0},
    {1021396468, 0},
};

int main(void) {
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        int got = reverse_integer(CASES[i].value);
        if (got != CASES[i].expected) {
            printf("reverse_integer(%d) = %d, not %d\n", CASES[i].value, got, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
