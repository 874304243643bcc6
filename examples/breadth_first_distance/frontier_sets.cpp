// SPDX-License-Identifier: Apache-2.0
// Works with whole sets of positions: the next frontier is all that is new around this one.

#include <set>
#include <utility>

using Position = std::pair<int, int>;

namespace {

/// A view of the grid that answers for positions outside it, too.
class Maze {
public:
    Maze(const char *grid, int rows, int columns) : grid_(grid), rows_(rows), columns_(columns) {}

    /// Tells whether the position lies inside the grid and is no wall.
    bool is_open(Position position) const {
        const auto [row, column] = position;
        return row >= 0 && row < rows_ && column >= 0 && column < columns_ &&
               grid_[row * columns_ + column] != '#';
    }

    /// Returns the position of a cell given by its index.
    Position position_of(int cell) const {
        return {cell / columns_, cell % columns_};
    }

private:
    const char *grid_;
    int rows_;
    int columns_;
};

}  // namespace

/// Returns the open positions around the frontier that have not been seen, and marks them seen.
static std::set<Position> next_frontier(const Maze &maze, const std::set<Position> &frontier,
                                        std::set<Position> &seen) {
    std::set<Position> next;
    for (const auto &[row, column] : frontier) {
        for (const Position &position : {Position(row - 1, column), Position(row + 1, column),
                                         Position(row, column - 1), Position(row, column + 1)}) {
            if (maze.is_open(position) && seen.insert(position).second) {
                next.insert(position);
            }
        }
    }
    return next;
}

/// Returns the least number of steps up, down, left or right from one cell to another in a grid
/// stored row by row, where '#' is a wall. Returns -1 if there is no way or a wall at either end.
extern "C" int breadth_first_distance(const char *grid, int rows, int columns, int start,
                                      int goal) {
    const Maze maze(grid, rows, columns);
    if (!maze.is_open(maze.position_of(start))) {
        return -1;
    }
    std::set<Position> frontier{maze.position_of(start)};
    std::set<Position> seen = frontier;
    for (int distance = 0; !frontier.empty(); ++distance) {
        if (frontier.count(maze.position_of(goal)) > 0) {
            return distance;
        }
        frontier = next_frontier(maze, frontier, seen);
    }
    return -1;
}
