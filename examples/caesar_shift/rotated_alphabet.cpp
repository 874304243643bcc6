// SPDX-License-Identifier: Apache-2.0
// Looks each letter up in the alphabet and takes the one in the same place of a rotated alphabet.

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

static constexpr std::string_view ALPHABET = "abcdefghijklmnopqrstuvwxyz";

/// Returns the alphabet as it reads from the letter `shift` places after its first one on.
static std::string rotated_alphabet(int shift) {
    const int size = static_cast<int>(ALPHABET.size());
    std::string letters(ALPHABET);
    std::rotate(letters.begin(), letters.begin() + (shift % size + size) % size, letters.end());
    return letters;
}

/// Moves every letter of the text `shift` places on in the alphabet, in place, going from Z back
/// to A and keeping case. A negative shift moves backwards; everything else stays as it is.
extern "C" void caesar_shift(char *text, int shift) {
    const std::string substitutes = rotated_alphabet(shift);
    const auto substitute = [&](unsigned char character) -> int {
        const auto place = ALPHABET.find(static_cast<char>(std::tolower(character)));
        if (place == std::string_view::npos) {
            return character;
        }
        return std::isupper(character) ? std::toupper(substitutes[place]) : substitutes[place];
    };
    for (; *text != '\0'; ++text) {
        *text = static_cast<char>(substitute(static_cast<unsigned char>(*text)));
    }
}
