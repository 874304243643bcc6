// SPDX-License-Identifier: Apache-2.0
// Binary exponentiation that reads the exponent from its lowest bit up.

/**
 * Raises a base to a power modulo `modulus`.
 *
 * The modulus must lie between 1 and 2^32, so that a product of two residues fits into 64 bits.
 * Any base to the power zero is 1, reduced modulo `modulus`.
 */
unsigned long integer_power_mod(unsigned long base, unsigned long exponent,
                                unsigned long modulus) {
    unsigned long result = 1 % modulus;
    unsigned long square = base % modulus;
    while (exponent > 0) {
        if (exponent & 1) {
            result = result * square % modulus;
        }
        square = square * square % modulus;
        exponent >>= 1;
    }
    return result;
}
