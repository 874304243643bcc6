"""Control-flow positions: where an instruction stands and where control goes from it.

The three positions feed the positional condition encoding of Peng et al. (ICML 2021, §3.3).
Control that leaves the function has a code of its own for each way of leaving.
"""

from static_analysis.flow.cfg import ControlFlow
from static_analysis.reading.ir import Function, Instruction

RETURN = -1
UNREACHABLE = -2
UNWIND = -3
CUT = -4  # given out by batching, where a target lies beyond a cut

Position = tuple[int, int, int]
_LEAVING = {"ret": RETURN, "unreachable": UNREACHABLE, "indirectbr": UNREACHABLE}


def positions(function: Function, graph: ControlFlow) -> list[Position]:
    """Return (own, true, false) for each instruction.

    An ordinary instruction goes on to the next one whatever happens. Targets of a terminator
    are the indices of their blocks' first instructions; codes below zero say how control leaves.
    """
    starts = [block.start for block in function.blocks]
    after = range(1, len(function.instructions) + 1)
    triples = list(zip(range(len(after)), after, after, strict=True))
    for block, targets in zip(function.blocks, graph.targets, strict=True):
        own = block.stop - 1
        goes_to = [starts[target] for target in targets]
        triples[own] = (own, *_sides(function.instructions[own], goes_to))
    return triples


def _sides(terminator: Instruction, goes_to: list[int]) -> tuple[int, int]:
    """Return the positions for true and for false, given the targets as printed."""
    opcode = terminator.form.opcode
    if not goes_to:
        code = _LEAVING.get(opcode, UNWIND)
        return code, code
    first, second, last = goes_to[0], goes_to[min(1, len(goes_to) - 1)], goes_to[-1]
    if opcode == "switch":
        return second, first
    if opcode == "indirectbr":
        return first, last
    if opcode == "catchswitch":
        return first, UNWIND if unwinds_to_caller(terminator) else last
    return first, second


def unwinds_to_caller(terminator: Instruction) -> bool:
    """Say whether an exception passing a ``catchswitch`` or ``cleanupret`` leaves the function."""
    return terminator.form.unwinds_to_caller
