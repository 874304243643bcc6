// SPDX-License-Identifier: Apache-2.0
// Fills in the whole table of distances between all prefixes of both texts.

#include <stdlib.h>
#include <string.h>

/// Returns the least of three numbers.
static int least(int a, int b, int c) {
    int smaller = a < b ? a : b;
    return smaller < c ? smaller : c;
}

/// Returns the least number of characters to insert, delete or replace that turns one text into
/// the other, or -1 if memory runs out.
int edit_distance(const char *first, const char *second) {
    size_t rows = strlen(first) + 1;
    size_t columns = strlen(second) + 1;
    int *table = malloc(rows * columns * sizeof *table);
    if (table == NULL) {
        return -1;
    }
    for (size_t i = 0; i < rows; i++) {
        table[i * columns] = (int)i;
    }
    for (size_t j = 0; j < columns; j++) {
        table[j] = (int)j;
    }
    for (size_t i = 1; i < rows; i++) {
        for (size_t j = 1; j < columns; j++) {
            const int *above = &table[(i - 1) * columns + j];
            int *cell = &table[i * columns + j];
            int replaced = above[-1] + (first[i - 1] != second[j - 1]);
            *cell = least(replaced, above[0] + 1, cell[-1] + 1);
        }
    }
    int distance = table[rows * columns - 1];
    free(table);
    return distance;
}
