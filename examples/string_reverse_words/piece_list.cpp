// SPDX-License-Identifier: Apache-2.0
// One pass over the characters collects words and gaps at the front of a list, which is then
// written back over the text.

#include <forward_list>
#include <string>

using Pieces = std::forward_list<std::string>;

/// Tells whether the character goes on with the piece that was begun last.
static bool continues(const Pieces &pieces, char character) {
    return !pieces.empty() && (pieces.front().back() == ' ') == (character == ' ');
}

/// Returns the words and gaps of the text, the last one first.
static Pieces split_backwards(const char *text) {
    Pieces pieces;
    for (; *text != '\0'; ++text) {
        if (continues(pieces, *text)) {
            pieces.front().push_back(*text);
        } else {
            pieces.emplace_front(1, *text);
        }
    }
    return pieces;
}

/// Puts the words of the text in reverse order, in place. Words are separated by spaces; runs of
/// spaces keep their length and change places along with the words.
extern "C" void string_reverse_words(char *text) {
    for (const std::string &piece : split_backwards(text)) {
        for (char character : piece) {
            *text++ = character;
        }
    }
}
