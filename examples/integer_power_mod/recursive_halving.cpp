// SPDX-License-Identifier: Apache-2.0
// Divide and conquer on the exponent: the power is the square of the half power.

namespace {

/// An integer that remembers the modulus it is taken by.
struct Residue {
    unsigned long value;
    unsigned long modulus;

    /// Multiplies two residues of one modulus.
    Residue operator*(const Residue &other) const {
        return {value * other.value % modulus, modulus};
    }
};

/// Raises a residue to a power.
Residue power(const Residue &base, unsigned long exponent) {
    if (exponent == 0) {
        return {1 % base.modulus, base.modulus};
    }
    const Residue root = power(base, exponent / 2);
    const Residue square = root * root;
    return exponent % 2 == 0 ? square : square * base;
}

}  // namespace

/// Calculates base^exponent mod modulus for a modulus from 1 to 2^32, with 0^0 taken as 1.
extern "C" unsigned long integer_power_mod(unsigned long base, unsigned long exponent,
                                           unsigned long modulus) {
    const Residue reduced{base % modulus, modulus};
    return power(reduced, exponent).value;
}
