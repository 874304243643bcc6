// SPDX-License-Identifier: Apache-2.0
// A hash table written by hand: open addressing, linear probing, at most half full.

#include <stdlib.h>

/** A place of the table, empty as long as `used` is 0. */
struct slot {
    int used;
    long key;
};

/**
 * Returns the slot that holds a key, or the empty one where it belongs.
 *
 * The number of slots is mask + 1, a power of two.
 */
static struct slot *find_slot(struct slot *table, unsigned long mask, long key) {
    unsigned long hash = (unsigned long)key * 0x9E3779B97F4A7C15u;
    unsigned long index = (hash >> 32) & mask;
    while (table[index].used && table[index].key != key) {
        index = (index + 1) & mask;
    }
    return &table[index];
}

/**
 * Returns 1 if two distinct positions hold numbers with the given sum, and 0 otherwise.
 *
 * The program is aborted if there is no memory for the table.
 */
int two_sum_exists(const int *values, long count, int target) {
    unsigned long capacity = 2;
    while (capacity < 2 * (unsigned long)count) {
        capacity *= 2;
    }
    struct slot *table = calloc(capacity, sizeof *table);
    if (table == NULL) {
        abort();
    }
    int found = 0;
    for (long i = 0; i < count && !found; ++i) {
        found = find_slot(table, capacity - 1, (long)target - values[i])->used;
        struct slot *own = find_slot(table, capacity - 1, values[i]);
        own->used = 1;
        own->key = values[i];
    }
    free(table);
    return found;
}
