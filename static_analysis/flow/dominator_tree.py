"""The dominator tree of a control-flow graph: who dominates whom, and where that ends."""

from functools import cached_property

from static_analysis.flow.cfg import ControlFlow
from static_analysis.flow.dominators import immediate_dominators

_FRONTIER_BUDGET = 64  # mean size of a dominance frontier beyond which there are none


class DominatorTree:
    """A graph with its dominator tree.

    Attributes:
        graph: the graph.
        idoms: the immediate dominator of each block; -1 for the entry and unreachable blocks.
        enter: for each block the number of blocks a walk over the tree meets before it.
        leave: the same at the end of its subtree. Unreachable blocks have -1 for both.
    """

    def __init__(self, graph: ControlFlow) -> None:
        self.graph = graph
        self.idoms = immediate_dominators(graph)
        self.enter, self.leave = self._intervals()

    def _intervals(self) -> tuple[list[int], list[int]]:
        """Number the tree from the sizes of its subtrees; preorder has dominators first."""
        order, idoms = self.graph.preorder, self.idoms
        size = [1] * len(idoms)
        for block in reversed(order[1:]):
            size[idoms[block]] += size[block]
        enter, leave = [-1] * len(idoms), [-1] * len(idoms)
        enter[0], leave[0] = 0, size[0]
        free = [1] * len(idoms)  # the number for the next child of each block
        for block in order[1:]:
            above = idoms[block]
            start = enter[block] = free[above]
            free[block] = start + 1
            free[above] = leave[block] = start + size[block]
        return enter, leave

    def dominates(self, block: int, other: int) -> bool:
        """Say whether every way to ``other``, which can be reached, goes through ``block``."""
        return self.enter[block] <= self.enter[other] < self.leave[block]

    def dominates_strictly(self, block: int, other: int) -> bool:
        """Say whether ``block`` dominates ``other``, another block."""
        return self.enter[block] < self.enter[other] < self.leave[block]

    @cached_property
    def children(self) -> list[list[int]]:
        """The children of each block, in block order."""
        return tree_children(self.idoms)

    @cached_property
    def frontiers(self) -> list[set[int]]:
        """Each block's dominance frontier; an empty list where they are too large.

        A climb stops at a block that has the merge in its frontier already: all blocks above do.
        """
        graph, idoms, enter = self.graph, self.idoms, self.enter
        frontiers: list[set[int]] = [set() for _ in idoms]
        budget = _FRONTIER_BUDGET * len(idoms)
        for merge in graph.preorder:
            if len(graph.predecessors[merge]) < 2:
                continue
            stop = idoms[merge]
            for block in graph.predecessors[merge]:
                while block >= 0 and enter[block] >= 0 and block != stop:
                    if merge in frontiers[block]:
                        break
                    frontiers[block].add(merge)
                    budget -= 1
                    block = idoms[block]
            if budget < 0:
                return []
        return frontiers


def tree_children(idoms: list[int]) -> list[list[int]]:
    """Return the children of each block in the tree of immediate dominators, in block order."""
    children: list[list[int]] = [[] for _ in idoms]
    for block, idom in enumerate(idoms):
        if idom >= 0:
            children[idom].append(block)
    return children
