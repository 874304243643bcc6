// SPDX-License-Identifier: Apache-2.0
// Left-to-right exponentiation whose products are built from modular additions alone.

/** Adds two residues below `modulus` without leaving the range of an unsigned long. */
static unsigned long add_mod(unsigned long a, unsigned long b, unsigned long modulus) {
    return a >= modulus - b ? a - (modulus - b) : a + b;
}

/** Multiplies two residues by doubling one for every bit of the other. */
static unsigned long multiply_mod(unsigned long a, unsigned long b, unsigned long modulus) {
    unsigned long product = 0;
    for (; b != 0; b >>= 1) {
        if (b & 1) {
            product = add_mod(product, a, modulus);
        }
        a = add_mod(a, a, modulus);
    }
    return product;
}

/**
 * Computes a modular power, starting at the highest set bit of the exponent.
 *
 * The modulus is at least 1. The power zero gives 1 modulo `modulus`, also for the base zero.
 */
unsigned long integer_power_mod(unsigned long base, unsigned long exponent,
                                unsigned long modulus) {
    unsigned long mask = 1;
    while (mask <= exponent / 2) {
        mask <<= 1;
    }
    base %= modulus;
    unsigned long power = 1 % modulus;
    for (; mask != 0; mask >>= 1) {
        power = multiply_mod(power, power, modulus);
        if (exponent & mask) {
            power = multiply_mod(power, base, modulus);
        }
    }
    return power;
}
