// SPDX-License-Identifier: Apache-2.0
// A two-state machine counts how often it passes from a gap into a word.

/// Where the reader stands.
enum state { IN_GAP, IN_WORD };

/// Returns the state after the character has been read.
static enum state state_after(char character) {
    switch (character) {
    case ' ':
    case '\t':
    case '\n':
    case '\v':
    case '\f':
    case '\r':
        return IN_GAP;
    default:
        return IN_WORD;
    }
}

/// Returns the number of words in the text, a word being a longest stretch without white space.
int count_words(const char *text) {
    int words = 0;
    enum state state = IN_GAP;
    for (int i = 0; text[i] != '\0'; i++) {
        enum state next = state_after(text[i]);
        if (state == IN_GAP && next == IN_WORD) {
            words++;
        }
        state = next;
    }
    return words;
}
