// SPDX-License-Identifier: Apache-2.0
// A binary search tree of allocated nodes; every operation is a recursion over the subtrees.

#include <stdbool.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *left;
    struct node *right;
};

/// Adds the key to the tree unless it is there already. Returns false if memory runs out.
static bool insert(struct node **tree, int key) {
    if (*tree == NULL) {
        *tree = calloc(1, sizeof **tree);
        if (*tree == NULL) {
            return false;
        }
        (*tree)->key = key;
        return true;
    }
    if (key == (*tree)->key) {
        return true;
    }
    return insert(key < (*tree)->key ? &(*tree)->left : &(*tree)->right, key);
}

/// Tells whether the key is in the tree.
static bool contains(const struct node *tree, int key) {
    if (tree == NULL) {
        return false;
    }
    if (key == tree->key) {
        return true;
    }
    return contains(key < tree->key ? tree->left : tree->right, key);
}

/// Frees all nodes of the tree.
static void release(struct node *tree) {
    if (tree != NULL) {
        release(tree->left);
        release(tree->right);
        free(tree);
    }
}

/// Inserts the keys into a binary search tree and returns how many of the queries it contains, or
/// -1 if memory runs out.
int bst_insert_contains(const int *keys, int n_keys, const int *queries, int n_queries) {
    struct node *tree = NULL;
    int found = 0;
    for (int i = 0; i < n_keys; i++) {
        if (!insert(&tree, keys[i])) {
            release(tree);
            return -1;
        }
    }
    for (int i = 0; i < n_queries; i++) {
        found += contains(tree, queries[i]);
    }
    release(tree);
    return found;
}
