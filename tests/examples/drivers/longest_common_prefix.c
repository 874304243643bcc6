// SPDX-License-Identifier: Apache-2.0
// Checks longest_common_prefix against known answers.

#include <stdio.h>

int longest_common_prefix(const char *const *words, int count);

static const struct {
    const char *words[5];
    int count;
    int expected;
} CASES[] = {
    {{""}, 0, 0},
    {{""}, 1, 0},
    {{"alone"}, 1, 5},
    {{"same", "same"}, 2, 4},
    {{"flower", "flow", "flight"}, 3, 2},
    {{"dog", "racecar", "car"}, 3, 0},
    {{"inter", "interview", "interval", "internal"}, 4, 5},
    {{"prefix", "", "prefix"}, 3, 0},
    {{"ab", "a"}, 2, 1},
    {{"a", "ab"}, 2, 1},
    {{"abcd", "abce", "abcd", "abcf", "abc"}, 5, 3},
    {{"xyz", "xyz", "xyz", "xyz", "xya"}, 5, 2},
    {{"x", "xyz", "xyzzy", "xyz", "xyz"}, 5, 1},
    {{"\xc3\xa4", "\xc3\xb6"}, 2, 1},
};

int main(void) {
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        int answer = longest_common_prefix(CASES[i].words, CASES[i].count);
        if (answer != CASES[i].expected) {
            printf("%d words from \"%s\": got %d, expected %d\n", CASES[i].count,
                   CASES[i].words[0], answer, CASES[i].expected);
            return 1;
        }
    }
    return 0;
}
