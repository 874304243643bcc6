"""Immediate dominators and post-dominators, by the semi-NCA algorithm.

Georgiadis, "Linear-Time Algorithms for Dominators and Related Problems" (2005), chapter 2:
semidominators as in Lengauer and Tarjan (1979) with path compression, then each immediate
dominator is the nearest common ancestor of semidominator and tree parent. Chosen because the
simple iterative algorithm is quadratic on a loop with many exits, which real code has.
Post-dominators are the dominators of the reversed graph, entered at a virtual exit.
"""

import networkx as nx

from static_analysis.flow.cfg import ControlFlow, graph_of

EXIT = -1


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


def immediate_post_dominators(graph: ControlFlow) -> list[int]:
    """Return the nearest block that every way on from each block must pass, or ``EXIT``.

    Blocks without successors lead to the virtual exit. So does one block of every region that
    control never leaves: the last one a depth-first walk meets, as in LLVM. Blocks that cannot
    be reached have post-dominators like any other.
    """
    leaving = [block for block, goes_to in enumerate(graph.successors) if not goes_to]
    exits = leaving + _endless_exits(graph, leaving)
    targets = [tuple(block + 1 for block in exits)]  # the virtual exit is 0, block b is b + 1
    targets += [tuple(block + 1 for block in found) for found in graph.predecessors]
    return [idom - 1 for idom in immediate_dominators(graph_of(targets))[1:]]


def _endless_exits(graph: ControlFlow, leaving: list[int]) -> list[int]:
    """Return one block of every region that is entered and never left."""
    ends = bytearray(len(graph.successors))
    work = list(leaving)
    while work:
        block = work.pop()
        if not ends[block]:
            ends[block] = True
            work.extend(graph.predecessors[block])
    if all(ends):
        return []
    walk = _walk_forward(graph, [block for block, done in enumerate(ends) if not done])
    endless = nx.DiGraph()
    endless.add_edges_from((block, to) for block in walk for to in graph.successors[block])
    regions = nx.strongly_connected_components(endless)
    return [
        max(region, key=walk.__getitem__)
        for region in regions
        if all(to in region for block in region for to in graph.successors[block])
    ]


def _walk_forward(graph: ControlFlow, starts: list[int]) -> dict[int, int]:
    """Number blocks in depth-first order from each start, later blocks of the function first."""
    numbers: dict[int, int] = {}
    for start in starts:
        work = [start]
        while work:
            block = work.pop()
            if block not in numbers:
                numbers[block] = len(numbers)
                work.extend(sorted(graph.successors[block]))
    return numbers


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
