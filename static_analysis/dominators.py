"""Immediate dominators, by the semi-NCA algorithm.

Georgiadis, "Linear-Time Algorithms for Dominators and Related Problems" (2005), chapter 2:
semidominators as in Lengauer and Tarjan (1979) with path compression, then each immediate
dominator is the nearest common ancestor of semidominator and tree parent. Chosen because the
simple iterative algorithm is quadratic on a loop with many exits, which real code has.
"""

from static_analysis.cfg import ControlFlow


def immediate_dominators(graph: ControlFlow) -> list[int]:
    """Return each block's immediate dominator; -1 for the entry and unreachable blocks."""
    order = graph.preorder
    number = [-1] * len(graph.successors)
    for rank, block in enumerate(order):
        number[block] = rank
    parents = [number[graph.parents[block]] if rank else 0 for rank, block in enumerate(order)]
    semis = _semidominators(graph, number, parents)
    idoms = parents
    for rank in range(1, len(order)):
        while idoms[rank] > semis[rank]:
            idoms[rank] = idoms[idoms[rank]]
    result = [-1] * len(graph.successors)
    for rank in range(1, len(order)):
        result[order[rank]] = order[idoms[rank]]
    return result


def _semidominators(graph: ControlFlow, number: list[int], parents: list[int]) -> list[int]:
    """Return the semidominator of each block, all as ranks in the depth-first order."""
    ranks = range(len(parents))
    semis, best, ancestor = list(ranks), list(ranks), list(parents)
    for rank in reversed(ranks[1:]):
        for predecessor in graph.predecessors[graph.preorder[rank]]:
            start = number[predecessor]
            if start >= 0:
                semi = semis[_best_on_path(start, rank, ancestor, best, semis)]
                semis[rank] = min(semis[rank], semi)
    return semis


def _best_on_path(
    start: int, linked_above: int, ancestor: list[int], best: list[int], semis: list[int]
) -> int:
    """Find the rank of least semidominator on the linked path up from ``start``, compressing it.

    Ranks above ``linked_above`` are linked to their ancestor already, others are roots.
    """
    if start <= linked_above:
        return start
    path = [start]
    while ancestor[path[-1]] > linked_above:
        path.append(ancestor[path[-1]])
    top = path.pop()
    above = ancestor[top]
    least = best[top]
    for rank in reversed(path):
        if semis[least] < semis[best[rank]]:
            best[rank] = least
        least = best[rank]
        ancestor[rank] = above
    return best[start]


def tree_children(idoms: list[int]) -> list[list[int]]:
    """Return the children of each block in the dominator tree, in block order."""
    children: list[list[int]] = [[] for _ in idoms]
    for block, idom in enumerate(idoms):
        if idom >= 0:
            children[idom].append(block)
    return children


def tree_intervals(order: list[int], children: list[list[int]]) -> tuple[list[int], list[int]]:
    """Return entry and exit times of a walk over the dominator tree from ``order[0]``.

    Block a dominates block b exactly when ``enter[a] <= enter[b]`` and ``leave[b] <= leave[a]``;
    blocks the walk never meets have -1.
    """
    enter, leave = [-1] * len(children), [-1] * len(children)
    clock = 0
    stack = [(order[0], False)]
    while stack:
        block, done = stack.pop()
        clock += 1
        if done:
            leave[block] = clock
            continue
        enter[block] = clock
        stack.append((block, True))
        stack.extend((child, False) for child in reversed(children[block]))
    return enter, leave
