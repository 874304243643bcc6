"""Control flow of one function as SSA form needs it: dominance and its frontiers."""

from static_analysis.flow.cfg import ControlFlow
from static_analysis.flow.dominators import tree_children, tree_intervals

_FRONTIER_BUDGET = 64  # mean size of a dominance frontier beyond which there are none


class Flow:
    """Control flow of one function as the construction needs it, worked out when first asked."""

    def __init__(self, graph: ControlFlow, idoms: list[int]) -> None:
        self.graph = graph
        self.children = tree_children(idoms)
        self.enter, self.leave = tree_intervals(graph.preorder, self.children)
        self._idoms = idoms
        self._frontiers: list[set[int]] | None = None

    def dominates_strictly(self, block: int, other: int) -> bool:
        """Say whether every way to ``other`` goes through ``block``, another block."""
        return self.enter[block] < self.enter[other] and self.leave[other] < self.leave[block]

    def frontiers(self) -> list[set[int]]:
        """Return each block's dominance frontier; empty lists where they are too large.

        A climb stops at a block that has the merge in its frontier already: all blocks above do.
        """
        if self._frontiers is None:
            self._frontiers = self._find_frontiers()
        return self._frontiers

    def _find_frontiers(self) -> list[set[int]]:
        graph, idoms, enter = self.graph, self._idoms, self.enter
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
