// SPDX-License-Identifier: Apache-2.0
// Walks along a list of allocated nodes once and turns every link round.

#include <stdlib.h>

/// A node of a singly linked list.
struct node {
    int value;
    struct node *next;
};

/// Frees all nodes of the list.
static void release(struct node *head) {
    while (head != NULL) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
}

/// Makes a list of the values in their order. Returns 0, and makes nothing, if memory runs out.
static int build(const int *values, int count, struct node **head) {
    struct node **tail = head;
    *tail = NULL;
    for (int i = 0; i < count; i++) {
        struct node *added = malloc(sizeof *added);
        if (added == NULL) {
            release(*head);
            return 0;
        }
        added->value = values[i];
        added->next = NULL;
        *tail = added;
        tail = &added->next;
    }
    return 1;
}

/// Reverses the list and returns its new head.
static struct node *reverse(struct node *head) {
    struct node *reversed = NULL;
    while (head != NULL) {
        struct node *next = head->next;
        head->next = reversed;
        reversed = head;
        head = next;
    }
    return reversed;
}

/// Makes a linked list of the values, reverses it and writes it back over them. Returns 1, or 0 if
/// memory runs out, in which case the values stay as they are.
int linked_list_reverse(int *values, int count) {
    struct node *head;
    if (!build(values, count, &head)) {
        return 0;
    }
    head = reverse(head);
    for (struct node *node = head; node != NULL; node = node->next) {
        *values++ = node->value;
    }
    release(head);
    return 1;
}
