// SPDX-License-Identifier: Apache-2.0
// Only the alphabetically first and last word matter: every other word lies between them.

#include <algorithm>
#include <string_view>
#include <vector>

/// Returns how many characters two words have in common at their start.
static int overlap(std::string_view a, std::string_view b) {
    const auto ends = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    return static_cast<int>(ends.first - a.begin());
}

/// Returns the length of the longest prefix that all words share; 0 if there are no words.
extern "C" int longest_common_prefix(const char *const *words, int count) {
    const std::vector<std::string_view> views(words, words + count);
    if (views.empty()) {
        return 0;
    }
    const auto [first, last] = std::minmax_element(views.begin(), views.end());
    return overlap(*first, *last);
}
