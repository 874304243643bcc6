// SPDX-License-Identifier: Apache-2.0
// Checks breadth_first_distance against known answers, in both directions.

#include <stdio.h>

int breadth_first_distance(const char *grid, int rows, int columns, int start, int goal);

static const char OPEN_FIELD[] = "....."
                                 "....."
                                 ".....";

static const char MAZE[] = "..#...."
                           ".##.##."
                           "...#..."
                           "##.#.##"
                           ".......";

static const char ISLANDS[] = "..#.."
                              ".##.#"
                              "#...#";

static const char SPIRAL[] = "......"
                             "#####."
                             "....#."
                             ".##.#."
                             ".####."
                             "......";

static const struct {
    const char *grid;
    int rows, columns, start, goal;
    int expected;
} CASES[] = {
    {".", 1, 1, 0, 0, 0},
    {"#", 1, 1, 0, 0, -1},
    {"..", 1, 2, 0, 1, 1},
    {"..", 2, 1, 0, 1, 1},
    {"#.", 1, 2, 0, 1, -1},
    {".#.", 1, 3, 0, 2, -1},
    {OPEN_FIELD, 3, 5, 0, 14, 6},
    {OPEN_FIELD, 3, 5, 4, 10, 6},
    {OPEN_FIELD, 3, 5, 4, 5, 5},
    {OPEN_FIELD, 3, 5, 7, 7, 0},
    {MAZE, 5, 7, 0, 3, 17},
    {MAZE, 5, 7, 0, 10, 18},
    {MAZE, 5, 7, 1, 28, 9},
    {MAZE, 5, 7, 0, 2, -1},
    {ISLANDS, 3, 5, 0, 3, -1},
    {ISLANDS, 3, 5, 3, 11, 4},
    {ISLANDS, 3, 5, 4, 11, 5},
    {SPIRAL, 6, 6, 0, 15, 21},
    {SPIRAL, 6, 6, 0, 21, 22},
};

int main(void) {
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        int forth = breadth_first_distance(CASES[i].grid, CASES[i].rows, CASES[i].columns,
                                           CASES[i].start, CASES[i].goal);
        int back = breadth_first_distance(CASES[i].grid, CASES[i].rows, CASES[i].columns,
                                          CASES[i].goal, CASES[i].start);
        if (forth != CASES[i].expected || back != CASES[i].expected) {
            printf("case %zu, %d to %d: got %d and %d, expected %d\n", i, CASES[i].start,
                   CASES[i].goal, forth, back, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
