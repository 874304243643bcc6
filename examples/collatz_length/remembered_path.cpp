// SPDX-License-Identifier: Apache-2.0
// Keeps a cache of lengths found in earlier calls and fills it along the path walked.

#include <unordered_map>
#include <vector>

/// Applies the Collatz rule once.
static unsigned long successor(unsigned long number) {
    return number & 1 ? number + 2 * number + 1 : number >> 1;
}

/// Returns the number of steps from a positive start to one, and -1 for the start zero.
///
/// The walk stops at the first number with a known length; from there the lengths of all numbers
/// passed are recorded backwards. Each thread has a cache of its own.
extern "C" long collatz_length(unsigned long start) {
    thread_local std::unordered_map<unsigned long, long> known{{1, 0}};

    if (start == 0) {
        return -1;
    }
    std::vector<unsigned long> path;
    unsigned long number = start;
    while (known.find(number) == known.end()) {
        path.push_back(number);
        number = successor(number);
    }
    long length = known.at(number);
    for (auto passed = path.rbegin(); passed != path.rend(); ++passed) {
        known[*passed] = ++length;
    }
    return length;
}
