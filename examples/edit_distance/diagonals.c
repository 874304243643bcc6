// SPDX-License-Identifier: Apache-2.0
// Ukkonen's way: asks how far along each diagonal of the table a growing number of edits leads.

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/// Stands for the row on a diagonal that no path has reached yet.
static const int NOWHERE = INT_MIN / 2;

/// Both texts and their lengths.
struct texts {
    const char *first;
    const char *second;
    int rows;
    int columns;
};

static int min(int a, int b) {
    return a < b ? a : b;
}

static int max(int a, int b) {
    return a > b ? a : b;
}

/// Goes down a diagonal, which is the column minus the row, as long as the characters agree, and
/// returns the row where they no longer do.
static int slide(const struct texts *texts, int row, int diagonal) {
    while (row < texts->rows && texts->first[row] == texts->second[row + diagonal]) {
        row++;
    }
    return row;
}

/// Allows one more edit: updates the farthest row on every diagonal. The entry behind the last
/// diagonal stays as it is.
static void allow_edit(const struct texts *texts, int *farthest) {
    int left = NOWHERE;
    for (int diagonal = -texts->rows; diagonal <= texts->columns; diagonal++) {
        int here = farthest[diagonal];
        int row = max(left, max(here, farthest[diagonal + 1]) + 1);
        row = min(row, min(texts->rows, texts->columns - diagonal));
        farthest[diagonal] = row < 0 ? NOWHERE : slide(texts, row, diagonal);
        left = here;
    }
}

/// Returns the least number of characters to insert, delete or replace that turns one text into
/// the other, or -1 if memory runs out.
int edit_distance(const char *first, const char *second) {
    struct texts texts = {first, second, (int)strlen(first), (int)strlen(second)};
    int n_entries = texts.rows + texts.columns + 2;
    int *entries = malloc((size_t)n_entries * sizeof *entries);
    if (entries == NULL) {
        return -1;
    }
    for (int i = 0; i < n_entries; i++) {
        entries[i] = NOWHERE;
    }
    int *farthest = entries + texts.rows;
    farthest[0] = slide(&texts, 0, 0);
    int edits = 0;
    while (farthest[texts.columns - texts.rows] != texts.rows) {
        allow_edit(&texts, farthest);
        edits++;
    }
    free(entries);
    return edits;
}
