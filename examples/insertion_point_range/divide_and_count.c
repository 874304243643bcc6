// SPDX-License-Identifier: Apache-2.0
// Splits the array in two and skips every part whose ends already tell the count.

/**
 * Counts the occurrences of a value in a sorted array.
 *
 * A part with both ends equal to the value consists of nothing else; a part that begins above it
 * or ends below it has none. Only the at most two parts that the run of equal elements enters or
 * leaves are divided further.
 */
long insertion_point_range(const int *values, long count, int wanted) {
    if (count == 0 || values[0] > wanted || values[count - 1] < wanted) {
        return 0;
    }
    if (values[0] == values[count - 1]) {
        return count;
    }
    long half = count / 2;
    return insertion_point_range(values, half, wanted) +
           insertion_point_range(values + half, count - half, wanted);
}
