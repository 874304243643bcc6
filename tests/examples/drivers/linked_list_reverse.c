// SPDX-License-Identifier: Apache-2.0
// Checks linked_list_reverse on arrays of many lengths, and that nothing behind them is touched.

#include <limits.h>
#include <stdio.h>

int linked_list_reverse(int *values, int count);

static const int LENGTHS[] = {0, 1, 2, 3, 4, 5, 7, 8, 31, 64, 100, 999};

enum { ROOM = 1000 };

/// Returns the value that stands at an index before the reversal.
static int value_at(int index) {
    static const int VALUES[] = {5, -1, INT_MAX, 0, INT_MIN, 5, 42};
    return VALUES[index % 7] ^ index / 7;
}

int main(void) {
    for (size_t i = 0; i < sizeof LENGTHS / sizeof *LENGTHS; i++) {
        int values[ROOM];
        for (int k = 0; k < ROOM; k++) {
            values[k] = value_at(k);
        }
        if (linked_list_reverse(values, LENGTHS[i]) != 1) {
            printf("%d values: not reversed\n", LENGTHS[i]);
            return 1;
        }
        for (int k = 0; k < ROOM; k++) {
            int expected = value_at(k < LENGTHS[i] ? LENGTHS[i] - 1 - k : k);
            if (values[k] != expected) {
                printf("%d values, at %d: got %d, expected %d\n", LENGTHS[i], k, values[k],
                       expected);
                return 1;
            }
        }
    }
    return 0;
}
