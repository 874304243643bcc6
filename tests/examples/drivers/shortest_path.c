// SPDX-License-Identifier: Apache-2.0
// Checks shortest_path against known answers.

#include <limits.h>
#include <stdio.h>

long long shortest_path(const int *weights, int n, int source, int target);

enum { NO = -1 };

static const int SINGLE[] = {NO};

static const int PAIR[] = {0, 5,  //
                           NO, 0};

static const int DETOUR[] = {NO, 10, 3, NO,  //
                             NO, NO, NO, 2,  //
                             NO, 4, NO, 8,   //
                             NO, NO, NO, NO};

static const int RING[] = {NO, 1, NO, NO, NO,  //
                           NO, NO, 2, NO, NO,  //
                           NO, NO, NO, 3, NO,  //
                           NO, NO, NO, NO, 4,  //
                           5, NO, NO, NO, NO};

static const int FREE_RIDES[] = {7, 0, 9,   //
                                 NO, NO, 0, //
                                 1, NO, NO};

static const int LONG_HAUL[] = {NO, INT_MAX, NO,   //
                                NO, NO, INT_MAX,   //
                                NO, NO, NO};

static const int SCRAMBLED[] = {NO, NO, NO, NO, NO, 1,  //
                                NO, NO, NO, NO, NO, NO, //
                                NO, 1, NO, NO, NO, NO,  //
                                NO, NO, 1, NO, NO, NO,  //
                                NO, NO, NO, 1, NO, NO,  //
                                NO, 9, NO, NO, 1, NO};

static const struct {
    const int *weights;
    int n, source, target;
    long long expected;
} CASES[] = {
    {SINGLE, 1, 0, 0, 0},
    {PAIR, 2, 0, 1, 5},
    {PAIR, 2, 1, 0, -1},
    {DETOUR, 4, 0, 0, 0},
    {DETOUR, 4, 0, 1, 7},
    {DETOUR, 4, 0, 2, 3},
    {DETOUR, 4, 0, 3, 9},
    {DETOUR, 4, 2, 3, 6},
    {DETOUR, 4, 3, 0, -1},
    {RING, 5, 0, 4, 10},
    {RING, 5, 4, 3, 11},
    {RING, 5, 3, 2, 12},
    {FREE_RIDES, 3, 0, 2, 0},
    {FREE_RIDES, 3, 2, 1, 1},
    {FREE_RIDES, 3, 0, 0, 0},
    {LONG_HAUL, 3, 0, 2, 2LL * INT_MAX},
    {LONG_HAUL, 3, 2, 0, -1},
    {SCRAMBLED, 6, 0, 1, 5},
    {SCRAMBLED, 6, 5, 1, 4},
    {SCRAMBLED, 6, 1, 5, -1},
};

int main(void) {
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        long long answer =
            shortest_path(CASES[i].weights, CASES[i].n, CASES[i].source, CASES[i].target);
        if (answer != CASES[i].expected) {
            printf("case %zu, %d to %d: got %lld, expected %lld\n", i, CASES[i].source,
                   CASES[i].target, answer, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
