// SPDX-License-Identifier: Apache-2.0
// Dynamic programming over sets of columns: no minor is computed twice.

enum { MAX_SIZE = 8 };

/**
 * Expands the determinant of the upper rows and a set of columns along the last of these rows.
 *
 * The set has as many members as there are rows, one bit each. Going down from the highest
 * column, the sign changes with every member passed.
 */
static long expand_last_row(const long *last_row, long size, unsigned columns,
                            const long *smaller) {
    long determinant = 0;
    long sign = 1;
    for (long column = size - 1; column >= 0; --column) {
        unsigned bit = 1u << column;
        if (columns & bit) {
            determinant += sign * last_row[column] * smaller[columns & ~bit];
            sign = -sign;
        }
    }
    return determinant;
}

/** Counts the members of a set. */
static long cardinality(unsigned set) {
    long members = 0;
    for (; set != 0; set >>= 1) {
        members += set & 1;
    }
    return members;
}

/**
 * Computes the determinant of a matrix of at most eight rows and columns, in row-major order.
 *
 * Sets are visited in the order of their bit patterns, so that subsets come before supersets.
 */
long matrix_determinant(const long *matrix, long size) {
    long by_columns[1 << MAX_SIZE];
    unsigned all_columns = (1u << size) - 1;
    by_columns[0] = 1;
    for (unsigned columns = 1; columns <= all_columns; ++columns) {
        const long *last_row = matrix + (cardinality(columns) - 1) * size;
        by_columns[columns] = expand_last_row(last_row, size, columns, by_columns);
    }
    return by_columns[all_columns];
}
