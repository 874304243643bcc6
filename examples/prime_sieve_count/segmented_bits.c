// SPDX-License-Identifier: Apache-2.0
// A segmented sieve: each 64-number segment is one machine word, so no array is ever needed.

enum { SEGMENT = 64 };

/** Counts the set bits of a word by clearing the lowest one until none is left. */
static long count_bits(unsigned long long word) {
    long bits = 0;
    for (; word != 0; word &= word - 1) {
        ++bits;
    }
    return bits;
}

/**
 * Marks the multiples of a divisor, from its square on, in the segment that begins at `start`.
 *
 * Bit i of the result stands for the number start + i.
 */
static unsigned long long multiples_in_segment(long divisor, long start) {
    long first = divisor * divisor;
    if (first < start) {
        first = start + (divisor - start % divisor) % divisor;
    }
    unsigned long long marked = 0;
    for (long offset = first - start; offset < SEGMENT; offset += divisor) {
        marked |= 1ULL << offset;
    }
    return marked;
}

/** Returns the number of primes that do not exceed `limit`. */
long prime_sieve_count(long limit) {
    long count = 0;
    for (long start = 0; start <= limit; start += SEGMENT) {
        long end = start + SEGMENT - 1;
        unsigned long long composite = start == 0 ? 3 : 0;  // 0 and 1 are not prime
        for (long divisor = 2; divisor * divisor <= end; divisor += 1 + divisor % 2) {
            composite |= multiples_in_segment(divisor, start);
        }
        if (end > limit) {
            composite |= ~0ULL << (limit - start) << 1;
        }
        count += SEGMENT - count_bits(composite);
    }
    return count;
}
