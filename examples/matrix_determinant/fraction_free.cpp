// SPDX-License-Identifier: Apache-2.0
// Bareiss's elimination, in which every division of integers comes out even.

#include <algorithm>
#include <vector>

/// Moves a row with a non-zero element in the pivot column up to the pivot's place.
///
/// Returns the change of sign this causes, or 0 if the column has no such element.
static long bring_up_pivot(std::vector<long> &work, long size, long pivot) {
    const auto row_begin = [&](long row) { return work.begin() + row * size; };
    for (long row = pivot; row < size; ++row) {
        if (row_begin(row)[pivot] != 0) {
            if (row == pivot) {
                return 1;
            }
            std::swap_ranges(row_begin(row), row_begin(row) + size, row_begin(pivot));
            return -1;
        }
    }
    return 0;
}

/// Finds the determinant of an integer matrix exactly by elimination.
///
/// The elements come row by row. After each step those that are left are minors of the matrix,
/// which is why the previous pivot divides them. The size may be anything from 0 to 8.
extern "C" long matrix_determinant(const long *matrix, long size) {
    std::vector<long> work(matrix, matrix + size * size);
    long sign = 1;
    long previous = 1;
    for (long k = 0; k < size; ++k) {
        sign *= bring_up_pivot(work, size, k);
        if (sign == 0) {
            return 0;
        }
        const long pivot = work[k * size + k];
        for (long i = k + 1; i < size; ++i) {
            const long factor = work[i * size + k];
            for (long j = k + 1; j < size; ++j) {
                long &element = work[i * size + j];
                element = (element * pivot - factor * work[k * size + j]) / previous;
            }
        }
        previous = pivot;
    }
    return sign * previous;
}
