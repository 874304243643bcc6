// SPDX-License-Identifier: Apache-2.0
// Adds up multiples of whole rows, so that memory is read and written in order.

#include <string.h>

/**
 * Stores the matrix product of `left` and `right`, all three in row-major order.
 *
 * Each row of the product is a combination of the rows of the right factor, weighted with the
 * elements of the same row of the left factor.
 */
void matrix_multiply(const long *left, const long *right, long *product, long rows, long inner,
                     long columns) {
    memset(product, 0, (size_t)(rows * columns) * sizeof *product);
    for (const long *left_end = left + rows * inner; left != left_end; product += columns) {
        const long *source = right;
        for (const long *row_end = left + inner; left != row_end; ++left) {
            long weight = *left;
            for (long column = 0; column < columns; ++column) {
                product[column] += weight * source[column];
            }
            source += columns;
        }
    }
}
