// SPDX-License-Identifier: Apache-2.0
// Each node owns the next one; ownership of all nodes is handed over to a second list in turn.

#include <memory>
#include <utility>

struct OwningNode;
using Owner = std::unique_ptr<OwningNode>;

struct OwningNode {
    int value;
    Owner next;
};

/// Puts a node that has no successor at the front of the list.
static void push_front(Owner &list, Owner node) {
    node->next = std::move(list);
    list = std::move(node);
}

/// Takes the first node out of a list that is not empty.
static Owner pop_front(Owner &list) {
    Owner first = std::move(list);
    list = std::move(first->next);
    return first;
}

/// Returns a list of the values in their order.
static Owner make_list(const int *values, int count) {
    Owner list;
    while (count-- > 0) {
        push_front(list, Owner(new OwningNode{values[count], nullptr}));
    }
    return list;
}

/// Makes a linked list of the values, reverses it and writes it back over them. Returns 1.
extern "C" int linked_list_reverse(int *values, int count) {
    Owner list = make_list(values, count);
    Owner reversed;
    while (list) {
        push_front(reversed, pop_front(list));
    }
    while (reversed) {
        *values++ = pop_front(reversed)->value;
    }
    return 1;
}
