"""The control flow of one iteration: a graph in which no loop goes round and no call unwinds.

It is what control dependence is worked out on. A back edge leads to what follows its loop,
an ``invoke`` goes on normally, and landing pads are entered from a block of their own.
"""

from static_analysis.flow.cfg import ControlFlow
from static_analysis.flow.dominators import EXIT, immediate_post_dominators
from static_analysis.flow.loops import Loops
from static_analysis.reading.ir import Function

OUTSIDE = -1


def one_iteration(function: Function, graph: ControlFlow, loops: Loops) -> ControlFlow:
    """Return the control flow of one iteration; of the result only the edges are filled in.

    It has two blocks more than the function: an exit, where endless loops lead, and as the last
    one, so that it is also block ``OUTSIDE``, one that goes to the entry and the landing pads.
    """
    pads = _landing_pads(function, graph)
    successors = [*graph.successors, (), (0, *sorted(pads))]
    for block in {block for pad in pads for block in graph.predecessors[pad]}:
        successors[block] = tuple(to for to in successors[block] if to not in pads)
    if loops.outer:
        after = _what_follows(loops, immediate_post_dominators(_flow(successors)))
        exit_block = len(successors) - 2
        for latch, header in loops.back_edges:
            follows = exit_block if after[header] == EXIT else after[header]
            goes_to = [follows if to == header else to for to in successors[latch]]
            successors[latch] = tuple(dict.fromkeys(goes_to))
    return _flow(successors)


def _flow(successors: list[tuple[int, ...]]) -> ControlFlow:
    predecessors: list[list[int]] = [[] for _ in successors]
    for block, goes_to in enumerate(successors):
        for to in goes_to:
            predecessors[to].append(block)
    return ControlFlow(successors, successors, predecessors, [], [])


def _landing_pads(function: Function, graph: ControlFlow) -> set[int]:
    """Return the blocks that invokes unwind to."""
    return {
        targets[-1]
        for block, targets in zip(function.blocks, graph.targets, strict=True)
        if function.instructions[block.stop - 1].opcode == "invoke"
    }


def _what_follows(loops: Loops, ipdoms: list[int]) -> dict[int, int]:
    """Return, by header, the first block outside the loop that all ways out of it must pass.

    Where that is the header of a loop around it, the next iteration, it is what follows that one.
    """
    after: dict[int, int] = {}
    for header in loops.outer:  # inner loops first
        block = ipdoms[header]
        while _is_inside(block, header, loops):
            block = after.get(block, ipdoms[block])
        after[header] = block
    for header in reversed(loops.outer):
        block = after[header]
        if block in after and _is_inside(header, block, loops):
            after[header] = after[block]
    return after


def _is_inside(block: int, header: int, loops: Loops) -> bool:
    """Say whether a block is in the loop of a header."""
    if block == EXIT or block >= len(loops.innermost):
        return False
    around = loops.innermost[block]
    while around >= 0 and loops.depth[around] > loops.depth[header]:
        around = loops.outer[around]
    return around == header
