// SPDX-License-Identifier: Apache-2.0
// Recursion on what is left of both texts; each pair of remainders is worked out only once.

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace {

class EditDistance {
public:
    EditDistance(std::string_view first, std::string_view second)
        : first_(first), second_(second) {}

    /// Returns the distance between the rests of the texts that begin at the two places.
    int between(std::size_t i, std::size_t j) {
        if (i == first_.size() || j == second_.size()) {
            return static_cast<int>(first_.size() - i + second_.size() - j);
        }
        if (first_[i] == second_[j]) {
            return between(i + 1, j + 1);
        }
        const auto known = memo_.find({i, j});
        if (known != memo_.end()) {
            return known->second;
        }
        const int replaced = between(i + 1, j + 1);
        const int deleted = between(i + 1, j);
        const int inserted = between(i, j + 1);
        const int distance = 1 + std::min({replaced, deleted, inserted});
        memo_.emplace(std::pair(i, j), distance);
        return distance;
    }

private:
    std::string_view first_;
    std::string_view second_;
    std::map<std::pair<std::size_t, std::size_t>, int> memo_;
};

}  // namespace

/// Returns the least number of characters to insert, delete or replace that turns one text into
/// the other.
extern "C" int edit_distance(const char *first, const char *second) {
    EditDistance distance(first, second);
    return distance.between(0, 0);
}
