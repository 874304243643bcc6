"""Everything the encodings know about one function, gathered once."""

from dataclasses import dataclass

from static_analysis.cfg import ControlFlow, control_flow
from static_analysis.dominators import immediate_dominators
from static_analysis.guards import Guard, guards
from static_analysis.ir import Function, Instruction, Module
from static_analysis.loops import Loops, find_loops
from static_analysis.memory import ReachingStores, reaching_stores
from static_analysis.names import anonymous_names
from static_analysis.tokens import Dictionary, Speller


@dataclass(slots=True)
class Scene:
    """A function together with the results of its analyses."""

    module: Module
    function: Function
    speller: Speller
    definitions: dict[str, int]
    graph: ControlFlow
    idoms: list[int]
    loops: Loops
    guards: list[Guard | None]
    reaching: dict[int, ReachingStores]

    def is_reachable(self, block: int) -> bool:
        """Say whether control can get to a block."""
        return block == 0 or self.idoms[block] >= 0

    def terminator(self, block: int) -> Instruction:
        """Return the last instruction of a block."""
        return self.function.instructions[self.function.blocks[block].stop - 1]


def set_scene(module: Module, function: Function, dictionary: Dictionary) -> Scene:
    """Run the analyses on one function."""
    graph = control_flow(function)
    idoms = immediate_dominators(graph)
    return Scene(
        module,
        function,
        Speller(dictionary, anonymous_names(function)),
        function.definitions(),
        graph,
        idoms,
        find_loops(graph, idoms),
        guards(graph, idoms),
        reaching_stores(function, module, graph, idoms),
    )
