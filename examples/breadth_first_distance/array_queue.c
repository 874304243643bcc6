// SPDX-License-Identifier: Apache-2.0
// A queue in a plain array; every cell enters it at most once.

#include <stdlib.h>

enum { UNSEEN = -1 };

/// Returns the cell next to this one in one of four directions, or -1 beyond the edge.
static int neighbour(int cell, int direction, int rows, int columns) {
    static const int DOWN[] = {-1, 1, 0, 0};
    static const int RIGHT[] = {0, 0, -1, 1};
    int row = cell / columns + DOWN[direction];
    int column = cell % columns + RIGHT[direction];
    if (row < 0 || row >= rows || column < 0 || column >= columns) {
        return -1;
    }
    return row * columns + column;
}

/// Fills in the steps from the start to every cell that can be reached, given a queue with room
/// for all cells.
static void search(const char *grid, int rows, int columns, int start, int *steps, int *queue) {
    int head = 0;
    int tail = 0;
    steps[start] = 0;
    queue[tail++] = start;
    while (head < tail) {
        int cell = queue[head++];
        for (int direction = 0; direction < 4; direction++) {
            int next = neighbour(cell, direction, rows, columns);
            if (next >= 0 && grid[next] != '#' && steps[next] == UNSEEN) {
                steps[next] = steps[cell] + 1;
                queue[tail++] = next;
            }
        }
    }
}

/// Returns the least number of steps up, down, left or right from one cell to another in a grid
/// stored row by row, where '#' is a wall. Returns -1 if there is no way or a wall at either end,
/// and -2 if memory runs out.
int breadth_first_distance(const char *grid, int rows, int columns, int start, int goal) {
    if (grid[start] == '#') {
        return -1;
    }
    size_t cells = (size_t)rows * (size_t)columns;
    int *steps = malloc(2 * cells * sizeof *steps);
    if (steps == NULL) {
        return -2;
    }
    for (size_t cell = 0; cell < cells; cell++) {
        steps[cell] = UNSEEN;
    }
    search(grid, rows, columns, start, steps, steps + cells);
    int distance = steps[goal];
    free(steps);
    return distance;
}
