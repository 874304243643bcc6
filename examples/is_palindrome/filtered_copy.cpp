// SPDX-License-Identifier: Apache-2.0
// Copies what counts, in one case, and compares the copy with itself read backwards.

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>
#include <string_view>

/// Returns the letters and digits of the text, letters in lower case.
static std::string normalised(std::string_view text) {
    std::string kept;
    std::copy_if(text.begin(), text.end(), std::back_inserter(kept),
                 [](unsigned char c) { return std::isalnum(c) != 0; });
    std::transform(kept.begin(), kept.end(), kept.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return kept;
}

/// Returns 1 if the letters and digits of the text read the same from both ends, whatever their
/// case, and 0 otherwise. A text without any is a palindrome.
extern "C" int is_palindrome(const char *text) {
    const std::string letters = normalised(text);
    const auto middle = letters.begin() + static_cast<std::ptrdiff_t>(letters.size() / 2);
    return std::equal(letters.begin(), middle, letters.rbegin());
}
