"""Under which condition a block runs: the nearest branch that decides about it.

A block with one way in, from a block that chooses, runs when that choice falls its way; any
other block runs under the condition of its immediate dominator. What is reported has always
happened on the way to the block.
"""

from static_analysis.cfg import ControlFlow

Guard = tuple[int, int]  # (block that chooses, block it chose)


def guards(graph: ControlFlow, idoms: list[int]) -> list[Guard | None]:
    """Return the guard of each block; None where nothing decides, or nothing gets there."""
    reachable = set(graph.preorder)
    found: list[Guard | None] = [None] * len(idoms)
    for block in graph.preorder[1:]:
        idom = idoms[block]
        ways_in = [way for way in graph.predecessors[block] if way in reachable]
        if ways_in == [idom] and len(graph.successors[idom]) > 1:
            found[block] = (idom, block)
        else:
            found[block] = found[idom]
    return found
