// SPDX-License-Identifier: Apache-2.0
// The definition: every element is the product of a row and a column.

/** Returns the scalar product of a contiguous row and a column whose elements lie apart. */
static long row_times_column(const long *row, const long *column, long length, long stride) {
    long sum = 0;
    for (long i = 0; i < length; ++i) {
        sum += row[i] * column[i * stride];
    }
    return sum;
}

/**
 * Multiplies a rows x inner matrix by an inner x columns matrix.
 *
 * All matrices are stored row by row, and the product must not overlap its factors.
 */
void matrix_multiply(const long *left, const long *right, long *product, long rows, long inner,
                     long columns) {
    for (long row = 0; row < rows; ++row) {
        for (long column = 0; column < columns; ++column) {
            product[row * columns + column] =
                row_times_column(left + row * inner, right + column, inner, columns);
        }
    }
}
