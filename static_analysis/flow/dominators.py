"""Immediate dominators and post-dominators, by the semi-NCA algorithm.

Georgiadis, "Linear-Time Algorithms for Dominators and Related Problems" (2005), chapter 2:
semidominators as in Lengauer and Tarjan (1979) with path compression, then each immediate
dominator is the nearest common ancestor of semidominator and tree parent. Chosen because the
simple iterative algorithm is quadratic on a loop with many exits, which real code has.
Post-dominators are the dominators of the reversed graph, entered at a virtual exit.
"""

from collections.abc import Sequence

import networkx as nx

from static_analysis.flow.cfg import ControlFlow, depth_first

EXIT = -1


def immediate_dominators(graph: ControlFlow) -> list[int]:
    """Return each block's immediate dominator; -1 for the entry and unreachable blocks."""
    return _semi_nca(graph.preorder, graph.parents, graph.predecessors)


def immediate_post_dominators(graph: ControlFlow) -> list[int]:
    """Return the nearest block that every way on from each block must pass, or ``EXIT``.

    Blocks without successors lead to the virtual exit. So does one block of every region that
    control never leaves: the last one a depth-first walk meets, as in LLVM. Blocks that cannot
    be reached have post-dominators like any other.
    """
    virtual_exit = len(graph.successors)
    leaving = [block for block, goes_to in enumerate(graph.successors) if not goes_to]
    backward: list[Sequence[int]] = [*graph.predecessors, leaving]
    order, parents = depth_first(backward, virtual_exit)
    if len(order) <= virtual_exit:
        leaving += _endless_exits(graph, order)
        order, parents = depth_first(backward, virtual_exit)
    forward: list[Sequence[int]] = [*graph.successors, ()]
    for block in leaving:
        forward[block] = (*forward[block], virtual_exit)
    idoms = _semi_nca(order, parents, forward)
    return [EXIT if idom == virtual_exit else idom for idom in idoms[:-1]]


def _semi_nca(
    order: list[int], parents: list[int], predecessors: Sequence[Sequence[int]]
) -> list[int]:
    """Return each block's immediate dominator, given a depth-first walk and the edges back."""
    number = [-1] * len(parents)
    for rank, block in enumerate(order):
        number[block] = rank
    above = [number[parents[block]] for block in order]
    semis = _semidominators(order, number, above, predecessors)
    result = [-1] * len(parents)
    for rank in range(1, len(order)):
        idom = above[rank]
        while idom > semis[rank]:
            idom = above[idom]
        above[rank] = idom
        result[order[rank]] = order[idom]
    return result


def _endless_exits(graph: ControlFlow, ending: list[int]) -> list[int]:
    """Return one block of every region that is entered and never left; others are ``ending``."""
    rest = sorted(set(range(len(graph.successors))).difference(ending))
    walk = _walk_forward(graph, rest)
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


def _semidominators(
    order: list[int],
    number: list[int],
    parents: list[int],
    predecessors: Sequence[Sequence[int]],
) -> list[int]:
    """Return the semidominator of each block, all as ranks in the depth-first order."""
    ranks = range(len(order))
    semis, best, ancestor = list(ranks), list(ranks), list(parents)
    for rank in reversed(ranks[1:]):
        least = rank
        for predecessor in predecessors[order[rank]]:
            start = number[predecessor]
            if start > rank:
                start = semis[_best_on_path(start, rank, ancestor, best, semis)]
            if 0 <= start < least:
                least = start
        semis[rank] = least
    return semis


def _best_on_path(
    start: int, linked_above: int, ancestor: list[int], best: list[int], semis: list[int]
) -> int:
    """Find the rank of least semidominator on the linked path up from ``start``, compressing it.

    Ranks above ``linked_above``, ``start`` among them, are linked to their ancestor already.
    """
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
