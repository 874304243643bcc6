// SPDX-License-Identifier: Apache-2.0
// Shell's method: insertion sort over ever smaller distances.

/** Sorts each of the interleaved sequences whose elements are `gap` places apart. */
static void insertion_pass(int *values, long count, long gap) {
    for (long i = gap; i < count; ++i) {
        int moving = values[i];
        long hole = i;
        while (hole >= gap && values[hole - gap] > moving) {
            values[hole] = values[hole - gap];
            hole -= gap;
        }
        values[hole] = moving;
    }
}

/**
 * Puts an array of integers into ascending order.
 *
 * The gaps are those of Knuth, 1, 4, 13, 40 and so on, from the largest below a third of the
 * length down to one, when only few elements are still out of place.
 */
void sort_ascending(int *values, long count) {
    long gap = 1;
    while (gap < count / 3) {
        gap = 3 * gap + 1;
    }
    for (; gap > 0; gap /= 3) {
        insertion_pass(values, count, gap);
    }
}
