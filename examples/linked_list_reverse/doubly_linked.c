// SPDX-License-Identifier: Apache-2.0
// A ring of doubly linked nodes in one block: swapping both links of every node reverses it.

#include <stdlib.h>

struct element {
    struct element *previous;
    struct element *next;
    int value;
};

/// Inserts an element before the given one.
static void insert_before(struct element *place, struct element *added) {
    added->previous = place->previous;
    added->next = place;
    place->previous->next = added;
    place->previous = added;
}

/// Reverses a ring by making every element's next one its previous one.
static void reverse_ring(struct element *sentinel) {
    struct element *element = sentinel;
    do {
        struct element *next = element->next;
        element->next = element->previous;
        element->previous = next;
        element = next;
    } while (element != sentinel);
}

/// Makes a linked list of the values, reverses it and writes it back over them. Returns 1, or 0 if
/// memory runs out, in which case the values stay as they are.
int linked_list_reverse(int *values, int count) {
    struct element *elements = malloc(((size_t)count + 1) * sizeof *elements);
    if (elements == NULL) {
        return 0;
    }
    struct element *sentinel = &elements[count];
    sentinel->previous = sentinel->next = sentinel;
    for (int i = 0; i < count; i++) {
        elements[i].value = values[i];
        insert_before(sentinel, &elements[i]);
    }
    reverse_ring(sentinel);
    int written = 0;
    for (struct element *place = sentinel->next; place != sentinel; place = place->next) {
        values[written++] = place->value;
    }
    free(elements);
    return 1;
}
