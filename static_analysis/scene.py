"""Everything the encodings know about one module and one function, gathered once."""

from dataclasses import dataclass

from static_analysis.cfg import ControlFlow, control_flow
from static_analysis.dominators import immediate_dominators
from static_analysis.guards import Guard, guards
from static_analysis.ir import Function, Instruction, Module
from static_analysis.loops import Loops, find_loops
from static_analysis.memory import ReachingStores, reaching_stores
from static_analysis.names import anonymous_names, names_of_locals
from static_analysis.operands import value_of
from static_analysis.tokens import Dictionary, Speller, TokenTemplates

MAX_OPERAND = 12


class ModuleContext:
    """What the scenes of one module share.

    Attributes:
        module: the module.
        dictionary: spellings of everything but locals.
        tokens: the instruction tokens of each form.
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self.dictionary = Dictionary(module)
        self.tokens = TokenTemplates(self.dictionary)


@dataclass(slots=True)
class Scene:
    """A function together with the results of its analyses.

    Attributes:
        context: what it shares with the other functions of the module.
        function: the function.
        anonymous: the anonymous name of each local.
        names: for each instruction, the anonymous names of its locals, in order.
        definitions: index of the instruction that defines each local.
        versions: name of the memory version (``m0``) that each store defines, by its index.
        reaching: reaching stores of the loads that have known ones.
        cases: for each block that ends in a switch, the values that lead to each target.
    """

    context: ModuleContext
    function: Function
    anonymous: dict[str, str]
    names: list[list[str]]
    speller: Speller
    definitions: dict[str, int]
    versions: dict[int, str]
    graph: ControlFlow
    idoms: list[int]
    loops: Loops
    guards: list[Guard | None]
    reaching: dict[int, ReachingStores]
    cases: dict[int, dict[int, list[str]]]

    @property
    def module(self) -> Module:
        """Return the module."""
        return self.context.module

    def tokens(self) -> list[list[str]]:
        """Return the model tokens of each instruction."""
        templates = self.context.tokens
        return [
            templates[instruction.form].fill(names)
            for instruction, names in zip(self.function.instructions, self.names, strict=True)
        ]

    def is_reachable(self, block: int) -> bool:
        """Say whether control can get to a block."""
        return block == 0 or self.idoms[block] >= 0

    def terminator(self, block: int) -> Instruction:
        """Return the last instruction of a block."""
        return self.function.instructions[self.function.blocks[block].stop - 1]

    def spell(self, lexemes: list[str], limit: int = MAX_OPERAND, start: int = 0) -> list[str]:
        """Return the tokens from ``start`` on, ``more`` standing for those beyond ``limit``."""
        return shortened(self.speller.spell(lexemes, start), limit)

    def value(self, part: list[str]) -> list[str]:
        """Return the tokens of the value that ends a part."""
        return self.spell(value_of(part))


def shortened(tokens: list[str], limit: int) -> list[str]:
    """Return the first ``limit`` tokens, with ``more`` after them if there were others."""
    return tokens if len(tokens) <= limit else [*tokens[:limit], "more"]


def set_scene(context: ModuleContext, function: Function) -> Scene:
    """Run the analyses on one function of the context's module."""
    graph = control_flow(function)
    idoms = immediate_dominators(graph)
    anonymous = anonymous_names(function)
    speller = Speller(context.dictionary, anonymous)
    return Scene(
        context=context,
        function=function,
        anonymous=anonymous,
        names=[
            names_of_locals(instruction, function.name, anonymous)
            for instruction in function.instructions
        ],
        speller=speller,
        definitions=function.definitions(),
        versions=_versions(function),
        graph=graph,
        idoms=idoms,
        loops=find_loops(graph, idoms),
        guards=guards(graph, idoms),
        reaching=reaching_stores(function, context.module, graph, idoms),
        cases=_cases(function, graph, speller),
    )


def _versions(function: Function) -> dict[int, str]:
    stores = (i for i, found in enumerate(function.instructions) if found.opcode == "store")
    return {index: f"m{number}" for number, index in enumerate(stores)}


def _cases(
    function: Function, graph: ControlFlow, speller: Speller
) -> dict[int, dict[int, list[str]]]:
    cases: dict[int, dict[int, list[str]]] = {}
    for number, block in enumerate(function.blocks):
        terminator = function.instructions[block.stop - 1]
        if terminator.opcode == "switch":
            listed = terminator.parts[1]
            values = [at - 1 for at, lexeme in enumerate(listed) if lexeme == ","]
            by_target = cases[number] = {}
            for at, target in zip(values, graph.targets[number][1:], strict=True):
                by_target.setdefault(target, []).extend(speller.spell(listed[at : at + 1]))
    return cases
