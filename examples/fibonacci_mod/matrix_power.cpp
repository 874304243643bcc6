// SPDX-License-Identifier: Apache-2.0
// Raises the two-by-two step matrix of the recurrence to the n-th power.

#include <array>

using Matrix = std::array<std::array<unsigned long, 2>, 2>;

/// Multiplies two matrices whose entries are residues below 2^31.
static Matrix multiply(const Matrix &a, const Matrix &b, unsigned long modulus) {
    Matrix product{};
    for (int row = 0; row < 2; ++row) {
        for (int column = 0; column < 2; ++column) {
            unsigned long sum = a[row][0] * b[0][column] + a[row][1] * b[1][column];
            product[row][column] = sum % modulus;
        }
    }
    return product;
}

/// Evaluates F(n) modulo a number from 1 to 2^31 in logarithmically many steps.
///
/// The n-th power of ((1, 1), (1, 0)) holds F(n) off its diagonal.
extern "C" unsigned long fibonacci_mod(unsigned long n, unsigned long modulus) {
    const unsigned long one = 1 % modulus;
    Matrix power{{{one, 0}, {0, one}}};
    Matrix step{{{one, one}, {one, 0}}};
    for (; n > 0; n /= 2) {
        if (n % 2 == 1) {
            power = multiply(power, step, modulus);
        }
        step = multiply(step, step, modulus);
    }
    return power[0][1];
}
