// SPDX-License-Identifier: Apache-2.0
// The tree is three parallel vectors, and its links are indices into them.

#include <vector>

namespace {

class IndexTree {
public:
    /// Adds the key to the tree unless it is there already.
    void insert(int key) {
        if (keys_.empty()) {
            append(key);
            return;
        }
        const int place = closest(key);
        if (keys_[place] == key) {
            return;
        }
        const int added = append(key);
        (key < keys_[place] ? left_ : right_)[place] = added;
    }

    /// Tells whether the key is in the tree.
    bool contains(int key) const {
        return !keys_.empty() && keys_[closest(key)] == key;
    }

private:
    static constexpr int NONE = -1;

    /// Returns the node that holds the key, or the one below which it would be inserted. The tree
    /// must not be empty.
    int closest(int key) const {
        int place = NONE;
        int next = 0;
        while (next != NONE) {
            place = next;
            if (keys_[place] == key) {
                break;
            }
            next = key < keys_[place] ? left_[place] : right_[place];
        }
        return place;
    }

    /// Adds a node without links and returns its index.
    int append(int key) {
        keys_.push_back(key);
        left_.push_back(NONE);
        right_.push_back(NONE);
        return static_cast<int>(keys_.size()) - 1;
    }

    std::vector<int> keys_;
    std::vector<int> left_;
    std::vector<int> right_;
};

}  // namespace

/// Inserts the keys into a binary search tree and returns how many of the queries it contains.
extern "C" int bst_insert_contains(const int *keys, int n_keys, const int *queries,
                                   int n_queries) {
    IndexTree tree;
    for (int i = 0; i < n_keys; ++i) {
        tree.insert(keys[i]);
    }
    int found = 0;
    for (int i = 0; i < n_queries; ++i) {
        found += tree.contains(queries[i]) ? 1 : 0;
    }
    return found;
}
