// SPDX-License-Identifier: Apache-2.0
// A treap: random priorities and rotations keep the tree shallow whatever order the keys come in.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

struct TreapNode {
    int key;
    std::uint32_t priority;
    std::unique_ptr<TreapNode> left;
    std::unique_ptr<TreapNode> right;
};

using Treap = std::unique_ptr<TreapNode>;

/// Returns the next number of Marsaglia's xorshift sequence and keeps it as the new state.
static std::uint32_t next_random(std::uint32_t &state) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

/// Lifts one child of the root above it: the one that `inner` leads to, whose own inner link is
/// `outer`.
static void lift(Treap &root, Treap TreapNode::*inner, Treap TreapNode::*outer) {
    Treap child = std::move((*root).*inner);
    (*root).*inner = std::move((*child).*outer);
    (*child).*outer = std::move(root);
    root = std::move(child);
}

/// Adds the key unless it is there already, and lifts it as far as its priority demands.
static void insert(Treap &root, int key, std::uint32_t priority) {
    if (!root) {
        root.reset(new TreapNode{key, priority, nullptr, nullptr});
    } else if (key < root->key) {
        insert(root->left, key, priority);
        if (root->left->priority > root->priority) {
            lift(root, &TreapNode::left, &TreapNode::right);
        }
    } else if (key > root->key) {
        insert(root->right, key, priority);
        if (root->right->priority > root->priority) {
            lift(root, &TreapNode::right, &TreapNode::left);
        }
    }
}

/// Tells whether the key is in the tree.
static bool contains(const TreapNode *node, int key) {
    while (node != nullptr && node->key != key) {
        node = (key < node->key ? node->left : node->right).get();
    }
    return node != nullptr;
}

/// Inserts the keys into a binary search tree and returns how many of the queries it contains.
extern "C" int bst_insert_contains(const int *keys, int n_keys, const int *queries,
                                   int n_queries) {
    Treap root;
    std::uint32_t state = 2463534242U;
    std::for_each(keys, keys + n_keys, [&](int key) { insert(root, key, next_random(state)); });
    return static_cast<int>(std::count_if(queries, queries + n_queries, [&](int query) {
        return contains(root.get(), query);
    }));
}
