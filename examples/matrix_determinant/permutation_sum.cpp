// SPDX-License-Identifier: Apache-2.0
// Leibniz's formula: a signed product for every permutation of the columns.

#include <algorithm>
#include <numeric>
#include <vector>

/// Returns 1 for an even permutation and -1 for an odd one, by counting inversions.
static long signature(const std::vector<long> &permutation) {
    long sign = 1;
    for (auto later = permutation.begin(); later != permutation.end(); ++later) {
        for (auto earlier = permutation.begin(); earlier != later; ++earlier) {
            if (*earlier > *later) {
                sign = -sign;
            }
        }
    }
    return sign;
}

/// Evaluates the determinant of a square, row-major matrix with at most eight rows.
///
/// Every term picks one element from each row, from the column that the permutation names.
extern "C" long matrix_determinant(const long *matrix, long size) {
    std::vector<long> columns(static_cast<std::size_t>(size));
    std::iota(columns.begin(), columns.end(), 0L);
    long determinant = 0;
    do {
        long term = signature(columns);
        for (long row = 0; row < size; ++row) {
            term *= matrix[row * size + columns[row]];
        }
        determinant += term;
    } while (std::next_permutation(columns.begin(), columns.end()));
    return determinant;
}
