// SPDX-License-Identifier: Apache-2.0
// Cuts the digits into an upper and a lower half until single digits are left.

/// Returns ten to a small non-negative power.
static unsigned long power_of_ten(int exponent) {
    unsigned long power = 1;
    while (exponent-- > 0) {
        power *= 10;
    }
    return power;
}

/// Sums the digits of a number written with a given positive number of places.
static int sum_of_places(unsigned long number, int places) {
    if (places == 1) {
        return static_cast<int>(number);
    }
    const int low_places = places / 2;
    const unsigned long cut = power_of_ten(low_places);
    return sum_of_places(number / cut, places - low_places) +
           sum_of_places(number % cut, low_places);
}

/// Determines the cross sum of a number in base ten, the same for a number and its negative.
extern "C" int digit_sum(long value) {
    constexpr int kMostPlaces = 20;  // as many as the largest 64-bit number has
    const auto bits = static_cast<unsigned long>(value);
    return sum_of_places(value < 0 ? 0 - bits : bits, kMostPlaces);
}
