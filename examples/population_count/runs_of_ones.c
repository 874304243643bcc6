// SPDX-License-Identifier: Apache-2.0
// Jumps from run to run of equal bits and adds up the lengths of the runs of ones.

/** Removes the lowest run of bits equal to `bit` from a non-zero word and returns its length. */
static int take_run(unsigned long *word, unsigned long bit) {
    int length = 0;
    while ((*word & 1) == bit) {
        *word >>= 1;
        ++length;
    }
    return length;
}

/** Determines the Hamming weight of a word, that is, how many ones it has in base two. */
int population_count(unsigned long word) {
    int ones = 0;
    while (word != 0) {
        take_run(&word, 0);
        ones += take_run(&word, 1);
    }
    return ones;
}
