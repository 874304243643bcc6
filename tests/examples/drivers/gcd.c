// SPDX-License-Identifier: Apache-2.0
// Checks gcd on known answers.

#include <limits.h>
#include <stdio.h>

long gcd(long a, long b);

static const struct {
    long a;
    long b;
    long expected;
} CASES[] = {
    {0, 0, 0},
    {0, 7, 7},
    {9, 0, 9},
    {1, 1, 1},
    {48, 36, 12},
    {17, 5, 1},
    {-12, 18, 6},
    {-8, -20, 4},
    {1071, 462, 21},
    {832040, 514229, 1},
    {1, LONG_MAX, 1},
    {LONG_MAX, LONG_MAX, LONG_MAX},
    {-9223372036854775807, 0, LONG_MAX},
    {LONG_MAX, 4611686018427387904, 1},
    {4611686018427387904, 1024, 1024},
    {6000000000000000000, 4500000000000000000, 1500000000000000000},
};

int main(void) {
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; ++i) {
        long got = gcd(CASES[i].a, CASES[i].b);
        if (got != CASES[i].expected) {
            printf("gcd(%ld, %ld) = %ld, not %ld\n",
                   CASES[i].a, CASES[i].b, got, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
