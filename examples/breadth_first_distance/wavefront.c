// SPDX-License-Identifier: Apache-2.0
// Keeps no queue: sweeps over the whole grid and lets the wave move on by one cell each time.

#include <stdbool.h>
#include <stdlib.h>

/// What a cell of the working copy is.
enum { FREE, WALL, WAVE, NEXT_WAVE, PASSED };

/// Lets the next wave enter a cell if it is free, and tells whether it was.
static bool enter(char *cell) {
    if (*cell != FREE) {
        return false;
    }
    *cell = NEXT_WAVE;
    return true;
}

/// Makes the next wave the present one.
static void move_on(char *cells, int n_cells) {
    for (int i = 0; i < n_cells; i++) {
        if (cells[i] == NEXT_WAVE) {
            cells[i] = WAVE;
        }
    }
}

/// Lets the wave spread from all its cells to their neighbours; tells whether it did anywhere.
static bool spread(char *cells, int rows, int columns) {
    bool spreads = false;
    char *cell = cells;
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++, cell++) {
            if (*cell == WAVE) {
                *cell = PASSED;
                spreads |= row > 0 && enter(cell - columns);
                spreads |= row + 1 < rows && enter(cell + columns);
                spreads |= column > 0 && enter(cell - 1);
                spreads |= column + 1 < columns && enter(cell + 1);
            }
        }
    }
    return spreads;
}

/// Returns the least number of steps up, down, left or right from one cell to another in a grid
/// stored row by row, where '#' is a wall. Returns -1 if there is no way or a wall at either end,
/// and -2 if memory runs out.
int breadth_first_distance(const char *grid, int rows, int columns, int start, int goal) {
    int n_cells = rows * columns;
    char *cells = malloc((size_t)n_cells);
    if (cells == NULL) {
        return -2;
    }
    for (int i = 0; i < n_cells; i++) {
        cells[i] = grid[i] == '#' ? WALL : FREE;
    }
    int distance = 0;
    bool spreads = enter(&cells[start]);
    while (spreads && cells[goal] != NEXT_WAVE) {
        move_on(cells, n_cells);
        spreads = spread(cells, rows, columns);
        distance++;
    }
    free(cells);
    return spreads ? distance : -1;
}
