// SPDX-License-Identifier: Apache-2.0
// Nodes from one block; a pointer to a link walks down and serves both to insert and to look up.

#include <stdlib.h>

typedef struct tree_node tree_node;

struct tree_node {
    tree_node *children[2];
    int key;
};

/// Returns the link that leads to the key, or the empty one where it belongs.
static tree_node **find_link(tree_node **link, int key) {
    while (*link != NULL && (*link)->key != key) {
        link = &(*link)->children[key > (*link)->key];
    }
    return link;
}

/// Inserts the keys into a binary search tree and returns how many of the queries it contains, or
/// -1 if memory runs out.
int bst_insert_contains(const int *keys, int n_keys, const int *queries, int n_queries) {
    tree_node *pool = calloc((size_t)n_keys + 1, sizeof *pool);
    if (pool == NULL) {
        return -1;
    }
    tree_node *root = NULL;
    tree_node *unused = pool;
    for (const int *key = keys; key != keys + n_keys; ++key) {
        tree_node **link = find_link(&root, *key);
        if (*link == NULL) {
            unused->key = *key;
            *link = unused++;
        }
    }
    int found = 0;
    while (n_queries-- > 0) {
        found += *find_link(&root, *queries++) != NULL;
    }
    free(pool);
    return found;
}
