// SPDX-License-Identifier: Apache-2.0
// Collects the runs in a table first and renders the table as text afterwards.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// A character and how often it stands in a row.
using Run = std::pair<char, std::size_t>;

/// Returns the runs of equal characters in the order in which they stand in the text.
static std::vector<Run> runs_of(std::string_view text) {
    std::vector<Run> runs;
    while (!text.empty()) {
        const std::size_t found = text.find_first_not_of(text.front());
        const std::size_t length = found == std::string_view::npos ? text.size() : found;
        runs.emplace_back(text.front(), length);
        text.remove_prefix(length);
    }
    return runs;
}

/// Writes each run of equal characters as the character and the length of the run in decimal
/// ("aaab" becomes "a3b1"), closes the output with a zero and returns its length. The output
/// needs room for twice as many characters as the text has, and the zero.
extern "C" int run_length_encode(const char *text, char *out) {
    std::string encoded;
    for (const auto &[symbol, length] : runs_of(text)) {
        encoded += symbol;
        encoded += std::to_string(length);
    }
    out[encoded.copy(out, encoded.size())] = '\0';
    return static_cast<int>(encoded.size());
}
