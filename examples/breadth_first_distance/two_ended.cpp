// SPDX-License-Identifier: Apache-2.0
// Searches from both ends, always on the side with the smaller frontier, until the sides meet.

#include <string>
#include <utility>
#include <vector>

static constexpr char OPEN = '.';
static constexpr char WALL = '#';

namespace {

/// The grid with a wall around it; cells that a search has reached carry its mark.
struct Board {
    std::string cells;
    int width;
};

/// One of the two searches: its mark, the cells it reached last, and in how many steps.
struct Side {
    char mark;
    std::vector<int> frontier;
    int steps;
};

}  // namespace

/// Returns where a cell of the grid lies on a board of the given width.
static int place_of(int cell, int width) {
    const int columns = width - 2;
    return (cell / columns + 1) * width + cell % columns + 1;
}

/// Returns a board without any marks.
static Board make_board(const char *grid, int rows, int columns) {
    Board board{std::string((rows + 2) * (columns + 2), WALL), columns + 2};
    for (int cell = 0; cell < rows * columns; ++cell) {
        if (grid[cell] != WALL) {
            board.cells[place_of(cell, board.width)] = OPEN;
        }
    }
    return board;
}

/// Moves one side on by one step and tells whether it ran into the other.
static bool advance(Board &board, Side &side, char other_mark) {
    std::vector<int> next;
    for (const int place : side.frontier) {
        for (const int offset : {-board.width, board.width, -1, 1}) {
            char &mark = board.cells[place + offset];
            if (mark == other_mark) {
                return true;
            }
            if (mark == OPEN) {
                mark = side.mark;
                next.push_back(place + offset);
            }
        }
    }
    side.frontier = std::move(next);
    ++side.steps;
    return false;
}

/// Returns the least number of steps up, down, left or right from one cell to another in a grid
/// stored row by row, where '#' is a wall. Returns -1 if there is no way or a wall at either end.
extern "C" int breadth_first_distance(const char *grid, int rows, int columns, int start,
                                      int goal) {
    if (grid[start] == WALL || grid[goal] == WALL) {
        return -1;
    }
    if (start == goal) {
        return 0;
    }
    Board board = make_board(grid, rows, columns);
    Side forward{'a', {place_of(start, board.width)}, 0};
    Side backward{'b', {place_of(goal, board.width)}, 0};
    board.cells[forward.frontier.front()] = forward.mark;
    board.cells[backward.frontier.front()] = backward.mark;
    Side *moving = &forward;
    Side *waiting = &backward;
    while (!moving->frontier.empty()) {
        if (advance(board, *moving, waiting->mark)) {
            return moving->steps + 1 + waiting->steps;
        }
        if (moving->frontier.size() > waiting->frontier.size()) {
            std::swap(moving, waiting);
        }
    }
    return -1;
}
