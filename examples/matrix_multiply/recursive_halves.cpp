// SPDX-License-Identifier: Apache-2.0
// Cache-oblivious multiplication: halves the longest side until single elements meet.

#include <algorithm>

namespace {

/// A rectangular part of a row-major matrix; `stride` elements lie between the rows' beginnings.
template <typename Element>
struct Block {
    Element *origin;
    long stride;

    /// Returns the part that begins the given number of rows further down.
    Block below(long rows) const { return {origin + rows * stride, stride}; }

    /// Returns the part that begins the given number of columns further right.
    Block beside(long columns) const { return {origin + columns, stride}; }
};

using Factor = Block<const long>;

/// Adds the product of two blocks to a third.
void add_product(Factor left, Factor right, Block<long> sum, long rows, long inner,
                 long columns) {
    const long longest = std::max({rows, inner, columns});
    const long half = longest / 2;
    if (longest == 1) {
        *sum.origin += *left.origin * *right.origin;
    } else if (longest == rows) {
        add_product(left, right, sum, half, inner, columns);
        add_product(left.below(half), right, sum.below(half), rows - half, inner, columns);
    } else if (longest == columns) {
        add_product(left, right, sum, rows, inner, half);
        add_product(left, right.beside(half), sum.beside(half), rows, inner, columns - half);
    } else {
        add_product(left, right, sum, rows, half, columns);
        add_product(left.beside(half), right.below(half), sum, rows, inner - half, columns);
    }
}

}  // namespace

/// Forms the product of a matrix of rows x inner elements and one of inner x columns elements.
///
/// No dimension may be zero, and the memory of the product must be separate.
extern "C" void matrix_multiply(const long *left, const long *right, long *product, long rows,
                                long inner, long columns) {
    std::fill(product, product + rows * columns, 0);
    add_product({left, inner}, {right, columns}, {product, columns}, rows, inner, columns);
}
