"""Natural loops, their depth per block, and the cycles that are no natural loop.

An edge t → h is a back edge when h dominates t; the natural loop of h is everything that
reaches a back edge of h without passing h, and loops with one header count once (Aho, Lam, Sethi
and Ullman, "Compilers", 2nd ed., §9.6.6). A cycle left when all back edges are taken away is
entered at two places: its blocks are called irreducible.
"""

from dataclasses import dataclass

import networkx as nx

from static_analysis.cfg import ControlFlow
from static_analysis.dominators import tree_children, tree_intervals


@dataclass(slots=True)
class Loops:
    """Loop structure.

    Attributes:
        depth: for each block, the number of natural loops it is in.
        irreducible: blocks on a cycle that is no natural loop.
        back_edges: the edges (from, to header) that close natural loops.
    """

    depth: list[int]
    irreducible: frozenset[int]
    back_edges: frozenset[tuple[int, int]]


def find_loops(graph: ControlFlow, idoms: list[int]) -> Loops:
    """Find the loops of a graph whose immediate dominators are given."""
    enter, leave = tree_intervals(graph.preorder, tree_children(idoms))
    latches: dict[int, list[int]] = {}
    for block in graph.preorder:
        for header in graph.successors[block]:
            if enter[header] <= enter[block] and leave[block] <= leave[header]:
                latches.setdefault(header, []).append(block)
    headers = sorted(latches, key=lambda header: -enter[header])
    depth = _depths(graph, headers, latches, enter)
    back = frozenset((latch, header) for header in headers for latch in latches[header])
    return Loops(depth, _cycles_without(graph, back), back)


def _depths(
    graph: ControlFlow, headers: list[int], latches: dict[int, list[int]], enter: list[int]
) -> list[int]:
    """Count the loops around each block, inner loops first.

    A block once claimed stands for its whole loop, found again through ``outer`` with path
    compression, so that no block is walked once per loop around it.
    """
    outer = list(range(len(enter)))
    inside = [-1] * len(enter)  # the innermost loop, by its header; a header's is the next one out
    for header in headers:
        work = list(latches[header])
        while work:
            block = _outermost(work.pop(), outer)
            if block == header or enter[block] < 0:
                continue
            outer[block] = header
            inside[block] = header
            work.extend(graph.predecessors[block])
    depth = [0] * len(enter)
    is_header = set(headers)
    for block in sorted(graph.preorder, key=lambda block: enter[block]):
        around = inside[block]
        depth[block] = int(block in is_header) + (depth[around] if around >= 0 else 0)
    return depth


def _outermost(block: int, outer: list[int]) -> int:
    top = block
    while outer[top] != top:
        top = outer[top]
    while outer[block] != top:
        outer[block], block = top, outer[block]
    return top


def _cycles_without(graph: ControlFlow, back: frozenset[tuple[int, int]]) -> frozenset[int]:
    """Return the blocks on cycles of the graph without its back edges."""
    rank = {block: number for number, block in enumerate(_postorder_reversed(graph, back))}
    forward = [
        (block, successor)
        for block in graph.preorder
        for successor in graph.successors[block]
        if (block, successor) not in back
    ]
    if all(rank[block] < rank[successor] for block, successor in forward):
        return frozenset()
    components = nx.strongly_connected_components(nx.DiGraph(forward))
    return frozenset(block for found in components if len(found) > 1 for block in found)


def _postorder_reversed(graph: ControlFlow, back: frozenset[tuple[int, int]]) -> list[int]:
    """Return a topological order of the graph without its back edges, if it has one."""
    order: list[int] = []
    seen = {graph.preorder[0]}
    stack = [(graph.preorder[0], iter(graph.successors[graph.preorder[0]]))]
    while stack:
        block, rest = stack[-1]
        for successor in rest:
            if successor not in seen and (block, successor) not in back:
                seen.add(successor)
                stack.append((successor, iter(graph.successors[successor])))
                break
        else:
            order.append(block)
            stack.pop()
    return order[::-1]
