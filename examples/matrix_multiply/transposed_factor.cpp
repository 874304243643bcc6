// SPDX-License-Identifier: Apache-2.0
// Transposes the right factor first; inner products of the library do the rest.

#include <numeric>
#include <vector>

/// Returns the transpose of a row-major matrix.
static std::vector<long> transpose(const long *matrix, long rows, long columns) {
    std::vector<long> transposed;
    transposed.reserve(static_cast<std::size_t>(rows * columns));
    for (long column = 0; column < columns; ++column) {
        for (long row = 0; row < rows; ++row) {
            transposed.push_back(matrix[row * columns + column]);
        }
    }
    return transposed;
}

/// Calculates the product of two matrices given by their elements row after row.
///
/// The left one has `inner` columns, the right one as many rows.
extern "C" void matrix_multiply(const long *left, const long *right, long *product, long rows,
                                long inner, long columns) {
    const std::vector<long> transposed = transpose(right, inner, columns);
    for (long row = 0; row < rows; ++row) {
        const long *begin = left + row * inner;
        for (long column = 0; column < columns; ++column) {
            const long *other = transposed.data() + column * inner;
            *product++ = std::inner_product(begin, begin + inner, other, 0L);
        }
    }
}
