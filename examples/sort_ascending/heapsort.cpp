// SPDX-License-Identifier: Apache-2.0
// Heapsort on an implicit binary tree whose root is the largest element.

#include <utility>

/// Restores the heap order below a node whose two subtrees are heaps already.
static void sift_down(int *heap, long size, long node) {
    for (long child = 2 * node + 1; child < size; child = 2 * node + 1) {
        if (child + 1 < size && heap[child] < heap[child + 1]) {
            ++child;
        }
        if (heap[node] >= heap[child]) {
            return;
        }
        std::swap(heap[node], heap[child]);
        node = child;
    }
}

/// Orders the numbers of an array increasingly without any further memory.
///
/// First the array becomes a heap. Then the largest element goes to the end again and again,
/// and the heap shrinks by one.
extern "C" void sort_ascending(int *values, long count) {
    for (long node = count / 2 - 1; node >= 0; --node) {
        sift_down(values, count, node);
    }
    for (long size = count - 1; size > 0; --size) {
        std::swap(values[0], values[size]);
        sift_down(values, size, 0);
    }
}
