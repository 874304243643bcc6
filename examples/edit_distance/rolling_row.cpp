// SPDX-License-Identifier: Apache-2.0
// Keeps one row of the table and rolls it down over the first text.

#include <algorithm>
#include <numeric>
#include <string_view>
#include <vector>

/// Replaces the row of a prefix of the first text by the row of the prefix one character longer.
static void roll_down(std::vector<int> &row, char added, std::string_view second) {
    int diagonal = row.front();
    ++row.front();
    for (std::size_t column = 1; column < row.size(); ++column) {
        const int replaced = diagonal + (second[column - 1] == added ? 0 : 1);
        diagonal = row[column];
        row[column] = std::min({replaced, row[column] + 1, row[column - 1] + 1});
    }
}

/// Returns the least number of characters to insert, delete or replace that turns one text into
/// the other.
extern "C" int edit_distance(const char *first, const char *second) {
    const std::string_view target(second);
    std::vector<int> row(target.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (; *first != '\0'; ++first) {
        roll_down(row, *first, target);
    }
    return row.back();
}
