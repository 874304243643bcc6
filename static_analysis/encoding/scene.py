"""Everything the encodings know about one module and one function, gathered once."""

from dataclasses import dataclass

from static_analysis.flow.cfg import ControlFlow, control_flow
from static_analysis.flow.control_dependence import Control, control_dependence
from static_analysis.flow.dominator_tree import DominatorTree
from static_analysis.flow.loops import Loops, find_loops
from static_analysis.memory.model import MemoryModel
from static_analysis.memory.reaching import ReachingStores
from static_analysis.reading.ir import Function, Instruction, Module
from static_analysis.words.names import AnonymousNames
from static_analysis.words.template import Template
from static_analysis.words.tokens import Dictionary, TokenTemplates


class ModuleContext:
    """What the scenes of one module share.

    Attributes:
        module: the module.
        dictionary: spellings of everything but locals.
        tokens: the instruction tokens of each form.
        names: makers of anonymous names.
        memory: the memory analysis.
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self.dictionary = Dictionary(module)
        self.tokens = TokenTemplates(self.dictionary)
        self.names = AnonymousNames()
        self.memory = MemoryModel(module)


@dataclass(slots=True)
class Scene:
    """A function together with the results of its analyses.

    Attributes:
        context: what it shares with the other functions of the module.
        function: the function.
        anonymous: the anonymous name of each local.
        definitions: index of the instruction that defines each local.
        graph: its control flow.
        tree: the same with the dominator tree.
        loops: its loops.
        control: what each block depends on.
        reaching: for each instruction that reads memory, what it may read, as far as known.
    """

    context: ModuleContext
    function: Function
    anonymous: dict[str, str]
    definitions: dict[str, int]
    graph: ControlFlow
    tree: DominatorTree
    loops: Loops
    control: list[Control]
    reaching: dict[int, ReachingStores]

    @property
    def module(self) -> Module:
        """Return the module."""
        return self.context.module

    def tokens(self) -> list[list[str]]:
        """Return the model tokens of each instruction."""
        templates, names = self.context.tokens, self.anonymous
        return [
            templates[instruction.form].fill(instruction.locals, names)
            for instruction in self.function.instructions
        ]

    def fill(self, template: Template, index: int) -> list[str]:
        """Return a template's tokens with the names of the locals of an instruction."""
        return template.fill(self.function.instructions[index].locals, self.anonymous)

    def is_reachable(self, block: int) -> bool:
        """Say whether control can get to a block."""
        return block == 0 or self.tree.idoms[block] >= 0

    def terminator(self, block: int) -> Instruction:
        """Return the last instruction of a block."""
        return self.function.instructions[self.function.blocks[block].stop - 1]


def set_scene(context: ModuleContext, function: Function) -> Scene:
    """Run the analyses on one function of the context's module."""
    graph = control_flow(function)
    tree = DominatorTree(graph)
    loops = find_loops(tree)
    return Scene(
        context=context,
        function=function,
        anonymous=context.names.of(function),
        definitions=function.definitions(),
        graph=graph,
        tree=tree,
        loops=loops,
        control=control_dependence(function, tree, loops),
        reaching=context.memory.reaching_stores(function, tree),
    )
