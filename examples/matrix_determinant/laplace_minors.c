// SPDX-License-Identifier: Apache-2.0
// Laplace's expansion along the first row, on copies of the minors.

enum { MAX_SIZE = 8 };

/** Copies a square matrix without its first row and without one of its columns. */
static void copy_minor(const long *matrix, long size, long left_out, long *minor) {
    for (long row = 1; row < size; ++row) {
        for (long column = 0; column < size; ++column) {
            if (column != left_out) {
                *minor++ = matrix[row * size + column];
            }
        }
    }
}

/**
 * Returns the determinant of a square matrix stored row by row.
 *
 * The matrix has from zero to eight rows, and that of the empty matrix is 1.
 */
long matrix_determinant(const long *matrix, long size) {
    if (size == 0) {
        return 1;
    }
    long minor[(MAX_SIZE - 1) * (MAX_SIZE - 1)];
    long determinant = 0;
    long sign = 1;
    for (long column = 0; column < size; ++column) {
        if (matrix[column] != 0) {
            copy_minor(matrix, size, column, minor);
            determinant += sign * matrix[column] * matrix_determinant(minor, size - 1);
        }
        sign = -sign;
    }
    return determinant;
}
