// SPDX-License-Identifier: Apache-2.0
// Two functions, for odd and for even numbers, that call each other.

static long steps_from_even(unsigned long number);

/// Counts the steps down to one from an odd number.
static long steps_from_odd(unsigned long number) {
    return number == 1 ? 0 : 1 + steps_from_even(3 * number + 1);
}

/// Counts the steps down to one from a positive even number.
static long steps_from_even(unsigned long number) {
    const unsigned long half = number / 2;
    return 1 + (half % 2 == 0 ? steps_from_even(half) : steps_from_odd(half));
}

/// Measures how many applications of the 3n + 1 rule bring a positive integer to one.
///
/// Zero is answered with -1. The sequence has to stay within the range of an unsigned long.
extern "C" long collatz_length(unsigned long start) {
    if (start == 0) {
        return -1;
    }
    return start % 2 == 0 ? steps_from_even(start) : steps_from_odd(start);
}
