// SPDX-License-Identifier: Apache-2.0
// Records residues until the sequence repeats, then reads the answer from the recorded period.

#include <vector>

/// Lists F(0), F(1), ... modulo a number, up to F(last) or one full period, whichever is shorter.
///
/// The sequence has come round once the pair (0, 1) turns up again.
static std::vector<unsigned long> residues(unsigned long last, unsigned long modulus) {
    const unsigned long one = 1 % modulus;
    std::vector<unsigned long> sequence{0};
    unsigned long next = one;
    while (sequence.size() <= last) {
        const unsigned long current = sequence.back();
        const unsigned long after = (current + next) % modulus;
        if (next == 0 && after == one) {
            break;
        }
        sequence.push_back(next);
        next = after;
    }
    return sequence;
}

/// Looks up the n-th Fibonacci number modulo `modulus`, which must be from 1 to 2^31.
///
/// It takes as many steps as n or the period of the sequence, so one of them has to be moderate.
extern "C" unsigned long fibonacci_mod(unsigned long n, unsigned long modulus) {
    const auto sequence = residues(n, modulus);
    return sequence[n % sequence.size()];
}
