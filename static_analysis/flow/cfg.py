"""The control-flow graph of a function and its dominator tree.

Blocks are numbers (their place in the function), block 0 is the entry. Exception edges (to
landing pads, catch switches and cleanups) are edges like any other.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from static_analysis.errors import IRError
from static_analysis.reading.ir import Function, Instruction


@dataclass(slots=True)
class ControlFlow:
    """Edges between blocks.

    Attributes:
        targets: for each block, the blocks its terminator names, as printed, repeats included.
        successors: the same without repeats.
        predecessors: blocks with an edge here, without repeats, in order.
        preorder: the blocks reachable from the entry in depth-first order.
        parents: for each block, its parent in that depth-first tree, or -1.
    """

    targets: list[tuple[int, ...]]
    successors: list[tuple[int, ...]]
    predecessors: list[list[int]]
    preorder: list[int]
    parents: list[int]


def labels(terminator: Instruction) -> list[str]:
    """Return the labels a terminator can go to, as printed.

    For ``br`` the target for true comes first; ``switch`` starts with its default; the unwind
    destination of ``invoke``, ``catchswitch`` and ``cleanupret`` comes last.
    """
    return [terminator.locals[hole] for hole in terminator.form.labels]


def control_flow(function: Function) -> ControlFlow:
    """Build the control-flow graph.

    Raises:
        IRError: a terminator names a label that no block has, or two blocks have one label.
    """
    numbers = {block.label: number for number, block in enumerate(function.blocks)}
    if len(numbers) < len(function.blocks):
        raise IRError(f"function {function.name} has two blocks of one name: the text is damaged")
    targets: list[tuple[int, ...]] = []
    try:
        for block in function.blocks:
            terminator = function.instructions[block.stop - 1]
            targets.append(tuple([numbers[label] for label in labels(terminator)]))
    except KeyError as missing:
        raise IRError(
            f"function {function.name} branches to {missing.args[0]}, which is no block of it: "
            "the text is damaged or incomplete"
        ) from None
    return graph_of(targets)


def graph_of(targets: list[tuple[int, ...]]) -> ControlFlow:
    """Build the graph in which block b goes to ``targets[b]``; block 0 is the entry."""
    successors = [tuple(dict.fromkeys(goes_to)) for goes_to in targets]
    predecessors: list[list[int]] = [[] for _ in successors]
    for block, goes_to in enumerate(successors):
        for successor in goes_to:
            predecessors[successor].append(block)
    preorder, parents = depth_first(successors, 0)
    return ControlFlow(targets, successors, predecessors, preorder, parents)


def depth_first(successors: Sequence[Sequence[int]], start: int) -> tuple[list[int], list[int]]:
    """Walk from one block without recursion; return the preorder and the tree's parents."""
    order: list[int] = []
    parents = [-1] * len(successors)
    seen = bytearray(len(successors))
    stack = [start]
    while stack:
        block = stack.pop()
        if seen[block]:
            continue
        seen[block] = 1
        order.append(block)
        for successor in reversed(successors[block]):
            if not seen[successor]:
                parents[successor] = block  # the last to say so is the one it is entered from
                stack.append(successor)
    return order, parents
