"""Which branches decide whether a block runs: control dependence.

Ferrante, Ottenstein and Warren, "The Program Dependence Graph and Its Use in Optimization"
(TOPLAS 1987), §3.1: the choice of successor s by block c controls block b when b post-dominates
s but not c. So the choices a block depends on are alternatives: it runs because one of them
fell its way, which is what ``a || b``, a ``break`` or a ``switch`` that falls through mean.

Three things differ from the paper, each to say more in fewer words.

- A loop is looked at one iteration at a time: a back edge leads to what follows the loop. So no
  block depends on choices of the iteration before, and in a loop left from its middle nothing
  seems certain only because the loop must end some day. In a cycle that is no natural loop, no
  block depends on choices of blocks it dominates.
- An ``invoke`` is no choice between going on and unwinding: what follows a call that might throw
  depends on what the call depended on. Landing pads are entered from ``OUTSIDE``.
- Of many alternatives only ``MAX_CHOICES`` are followed, those that hold for most blocks, which
  keeps time and memory linear in the number of edges.
"""

from collections.abc import Callable
from dataclasses import dataclass

from static_analysis.flow.dominator_tree import DominatorTree, tree_children
from static_analysis.flow.dominators import EXIT, immediate_post_dominators
from static_analysis.flow.iteration import OUTSIDE, one_iteration
from static_analysis.flow.loops import Loops
from static_analysis.reading.ir import Function

MAX_CHOICES = 8
Choice = tuple[int, int]  # (block that chooses, block it chose)
Relation = Callable[[int, int], bool]


@dataclass(slots=True)
class Control:
    """What a block depends on.

    Attributes:
        choices: alternatives in order of the blocks that choose; none where nothing decides.
            ``(OUTSIDE, pad)`` is an exception caught, ``(OUTSIDE, 0)`` that there was none.
        complete: whether these are all of them, which is never said of irreducible blocks.
    """

    choices: tuple[Choice, ...]
    complete: bool


_NOTHING = Control((), True)


def control_dependence(function: Function, tree: DominatorTree, loops: Loops) -> list[Control]:
    """Return what each block depends on; nothing for blocks control cannot get to.

    Args:
        function: the function.
        tree: its control flow with the dominator tree.
        loops: its loops.
    """
    flow = one_iteration(function, tree.graph, loops)
    dominates = _dominance(tree) if loops.irreducible else None
    walk = _Walk(immediate_post_dominators(flow), loops.irreducible, dominates)
    for chooser in (*tree.graph.preorder, OUTSIDE):
        if len(flow.successors[chooser]) > 1:
            walk.start(chooser, flow.successors[chooser])
    return walk.run(len(tree.graph.successors))


def _dominance(tree: DominatorTree) -> Relation:
    """Return the relation "dominates", which ``OUTSIDE`` and the exit have no part in."""
    size = len(tree.idoms)
    return lambda above, block: (
        0 <= above < size and 0 <= block < size and tree.dominates(above, block)
    )


class _Walk:
    """The walk up the post-dominator tree that carries choices to the blocks they control.

    The choice of s by c controls the blocks from s up to, and without, c's post-dominator; an
    irreducible block that dominates c ends it early.
    """

    def __init__(
        self, ipdoms: list[int], irreducible: frozenset[int], dominates: Relation | None
    ) -> None:
        self._ipdoms = ipdoms
        self._irreducible = irreducible
        self._dominates = dominates
        self._children = tree_children(ipdoms)
        self._depth = _depths(ipdoms, self._children)
        self._carried: list[list[Choice]] = [[] for _ in ipdoms]
        self._lost: dict[int, int] = {}  # least depth of a chooser cut off

    def start(self, chooser: int, chosen: tuple[int, ...]) -> None:
        """Take in the successors a block chooses between."""
        for block in chosen:
            self._carried[block].append((chooser, block))

    def run(self, size: int) -> list[Control]:
        """Return what each of the first ``size`` blocks depends on."""
        for block in sorted(range(len(self._depth)), key=self._depth.__getitem__, reverse=True):
            self._settle(block)
        return [self._control(block) for block in range(size)]

    def _settle(self, block: int) -> None:
        """Work out the choices that control a block, given those of its children."""
        choices = self._carried[block]
        for child in self._children[block]:
            choices += self._carried[child]
            if child in self._lost:
                self._lost[block] = min(self._lost[child], self._lost.get(block, self._lost[child]))
        choices[:] = [choice for choice in choices if self._ipdoms[choice[0]] != block]
        if self._dominates:
            choices[:] = [choice for choice in choices if not self._dominates(block, choice[0])]
        if len(choices) > MAX_CHOICES:
            choices.sort(key=lambda choice: self._depth[choice[0]])
            lost = self._depth[choices[MAX_CHOICES][0]]
            self._lost[block] = min(lost, self._lost.get(block, lost))
            del choices[MAX_CHOICES:]

    def _control(self, block: int) -> Control:
        choices = self._carried[block]
        if not choices or choices == [(OUTSIDE, 0)]:
            return _NOTHING
        lost = self._lost.get(block, len(self._depth)) <= self._depth[block]
        complete = not lost and block not in self._irreducible
        return Control(tuple(sorted(choices)), complete)


def _depths(ipdoms: list[int], children: list[list[int]]) -> list[int]:
    """Return each block's depth in the post-dominator tree; the virtual exit is above them all."""
    depths = [0] * len(ipdoms)
    work = [block for block, ipdom in enumerate(ipdoms) if ipdom == EXIT]
    while work:
        block = work.pop()
        for child in children[block]:
            depths[child] = depths[block] + 1
        work.extend(children[block])
    return depths
