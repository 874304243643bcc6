// SPDX-License-Identifier: Apache-2.0
// Recursion: reverse the rest of the list, then append the first node to it.

#include <stdbool.h>
#include <stdlib.h>

typedef struct Link {
    struct Link *rest;
    int item;
} Link;

/// Frees the list, the last node first.
static void free_list(Link *first) {
    if (first != NULL) {
        free_list(first->rest);
        free(first);
    }
}

/// Puts the items into a new list. On failure the list holds the items before the failure.
static bool make_list(const int *items, int count, Link **list) {
    *list = NULL;
    if (count == 0) {
        return true;
    }
    *list = malloc(sizeof(Link));
    if (*list == NULL) {
        return false;
    }
    (*list)->item = *items;
    return make_list(items + 1, count - 1, &(*list)->rest);
}

/// Reverses the list and returns the node that is first then.
static Link *reversed(Link *first) {
    if (first == NULL || first->rest == NULL) {
        return first;
    }
    Link *last_of_rest = first->rest;
    Link *new_first = reversed(first->rest);
    last_of_rest->rest = first;
    first->rest = NULL;
    return new_first;
}

/// Writes the items of the list to the array.
static void copy_items(const Link *first, int *items) {
    if (first != NULL) {
        *items = first->item;
        copy_items(first->rest, items + 1);
    }
}

/// Makes a linked list of the values, reverses it and writes it back over them. Returns 1, or 0 if
/// memory runs out, in which case the values stay as they are.
int linked_list_reverse(int *values, int count) {
    Link *list;
    bool made = make_list(values, count, &list);
    if (made) {
        list = reversed(list);
        copy_items(list, values);
    }
    free_list(list);
    return made;
}
