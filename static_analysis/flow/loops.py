"""Natural loops, their depth per block, and the cycles that are no natural loop.

An edge t → h is a back edge when h dominates t; the natural loop of h is everything that
reaches a back edge of h without passing h, and loops with one header count once (Aho, Lam, Sethi
and Ullman, "Compilers", 2nd ed., §9.6.6). A cycle left when all back edges are taken away is
entered at two places: its blocks are called irreducible.
"""

from dataclasses import dataclass

import networkx as nx

from static_analysis.flow.cfg import ControlFlow
from static_analysis.flow.dominator_tree import DominatorTree


@dataclass(slots=True)
class Loops:
    """Loop structure.

    Attributes:
        depth: for each block, the number of natural loops it is in.
        innermost: for each block, the header of the innermost natural loop it is in, or -1.
        outer: for each header, the header of the next loop around its own, or -1.
        irreducible: blocks on a cycle that is no natural loop.
        back_edges: the edges (from, to header) that close natural loops.
    """

    depth: list[int]
    innermost: list[int]
    outer: dict[int, int]
    irreducible: frozenset[int]
    back_edges: frozenset[tuple[int, int]]


def find_loops(tree: DominatorTree) -> Loops:
    """Find the loops of a graph, given with its dominator tree."""
    graph, enter = tree.graph, tree.enter
    latches: dict[int, list[int]] = {}
    is_reducible = True
    for block, header in _retreating(graph):
        if tree.dominates(header, block):
            latches.setdefault(header, []).append(block)
        else:
            is_reducible = False
    headers = sorted(latches, key=lambda header: -enter[header])
    around = _innermost_around(graph, headers, latches, enter)
    outer = {header: around[header] for header in headers}
    innermost = [block if block in outer else header for block, header in enumerate(around)]
    loop_depth = {-1: 0}
    for header in reversed(headers):
        loop_depth[header] = loop_depth[outer[header]] + 1
    depth = [loop_depth[header] for header in innermost]
    back = frozenset([(latch, header) for header in headers for latch in latches[header]])
    irreducible = frozenset() if is_reducible else _cycles_without(graph, back)
    return Loops(depth, innermost, outer, irreducible, back)


def _retreating(graph: ControlFlow) -> list[tuple[int, int]]:
    """Return the edges to a block that the depth-first walk is still inside; each cycle has one."""
    size = [1] * len(graph.successors)
    for block in reversed(graph.preorder[1:]):
        size[graph.parents[block]] += size[block]
    rank = [-1] * len(size)
    found = []
    for number, block in enumerate(graph.preorder):
        rank[block] = number
        for to in graph.successors[block]:
            if rank[to] >= 0 and number < rank[to] + size[to]:
                found.append((block, to))
    return found


def _innermost_around(
    graph: ControlFlow, headers: list[int], latches: dict[int, list[int]], enter: list[int]
) -> list[int]:
    """Return the header of the innermost loop around each block; a header's own does not count.

    Inner loops come first. A block once claimed stands for its whole loop, found again through
    ``claimed`` with path compression, so that no block is walked once per loop around it.
    """
    claimed = list(range(len(enter)))
    around = [-1] * len(enter)
    for header in headers:
        work = list(latches[header])
        while work:
            block = _outermost(work.pop(), claimed)
            if block == header or enter[block] < 0:
                continue
            claimed[block] = around[block] = header
            work.extend(graph.predecessors[block])
    return around


def _outermost(block: int, claimed: list[int]) -> int:
    top = block
    while claimed[top] != top:
        top = claimed[top]
    while claimed[block] != top:
        claimed[block], block = top, claimed[block]
    return top


def _cycles_without(graph: ControlFlow, back: frozenset[tuple[int, int]]) -> frozenset[int]:
    """Return the blocks on cycles of the graph without its back edges."""
    forward = nx.DiGraph()
    forward.add_edges_from(
        (block, to)
        for block in graph.preorder
        for to in graph.successors[block]
        if (block, to) not in back
    )
    components = nx.strongly_connected_components(forward)
    return frozenset(block for found in components if len(found) > 1 for block in found)
