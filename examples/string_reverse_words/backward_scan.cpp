// SPDX-License-Identifier: Apache-2.0
// Cuts runs off the end of a view of the text and appends them to a new string.

#include <algorithm>
#include <string>
#include <string_view>

/// Returns where the last run of a text that is not empty begins.
static std::size_t last_run_start(std::string_view text) {
    const std::size_t before =
        text.back() == ' ' ? text.find_last_not_of(' ') : text.find_last_of(' ');
    return before == std::string_view::npos ? 0 : before + 1;
}

/// Puts the words of the text in reverse order, in place. Words are separated by spaces; runs of
/// spaces keep their length and change places along with the words.
extern "C" void string_reverse_words(char *text) {
    std::string_view rest(text);
    std::string reversed;
    reversed.reserve(rest.size());
    while (!rest.empty()) {
        const std::size_t start = last_run_start(rest);
        reversed.append(rest.substr(start));
        rest.remove_suffix(rest.size() - start);
    }
    std::copy(reversed.begin(), reversed.end(), text);
}
