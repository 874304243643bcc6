"""The front of this package: IR text in, aligned streams out."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from static_analysis.encoding.env1 import OriginalEnvironment
from static_analysis.encoding.environment import ENVIRONMENT_VERSION, Environment
from static_analysis.encoding.scene import ModuleContext, Scene, set_scene
from static_analysis.errors import IRError, OscarError
from static_analysis.flow.positions import Position, positions
from static_analysis.reading.ir import Function
from static_analysis.reading.reader import read_module
from static_analysis.words.names import unescape

Encoder = Environment | OriginalEnvironment
ENVIRONMENTS: dict[str, type[Encoder]] = {
    ENVIRONMENT_VERSION: Environment,
    "env-1": OriginalEnvironment,
}


@dataclass(frozen=True, slots=True)
class BasicBlock:
    """A block of an analysed function.

    Attributes:
        label: its label as in the IR, unescaped.
        start: index of its first instruction.
        stop: index after its last instruction.
        successors: numbers of the blocks control may go to, without repeats.
        loop_depth: number of natural loops around it.
    """

    label: str
    start: int
    stop: int
    successors: tuple[int, ...]
    loop_depth: int


@dataclass(frozen=True, slots=True)
class AnalysedFunction:
    """A function's streams: four lists with one entry per instruction each.

    Attributes:
        name: the symbol as in the IR, unescaped, without ``@``.
        linkage: ``external`` where none is printed.
        instructions: the text of each instruction on one line, metadata included.
        tokens: the model tokens of each instruction.
        environment: the environment entry of each instruction.
        positions: (own, true, false) of each instruction; see ``positions``.
        blocks: the basic blocks in order.
    """

    name: str
    linkage: str
    instructions: list[str]
    tokens: list[list[str]]
    environment: list[list[str]]
    positions: list[Position]
    blocks: list[BasicBlock]


def analyse(ir_text: str, environment: str = ENVIRONMENT_VERSION) -> list[AnalysedFunction]:
    """Analyse the functions with a body of one module, in their order.

    Args:
        ir_text: LLVM IR in the form LLVM 22 prints.
        environment: the encoding of the environment: ``env-3``, or ``env-1``, the original's.

    Raises:
        IRError: the text is no such IR; one line says where and what to do.
        OscarError: there is no such encoding.
    """
    if environment not in ENVIRONMENTS:
        names = " or ".join(ENVIRONMENTS)
        raise OscarError(f"no environment encoding {environment!r}: choose {names}")
    with _no_cycle_collection():
        return _analyse_module(ir_text, ENVIRONMENTS[environment])


def _analyse_module(ir_text: str, encoding: type[Encoder]) -> list[AnalysedFunction]:
    """Analyse a module; all that is not in the result is freed on return."""
    context = ModuleContext(read_module(ir_text))
    encoder = encoding(context)
    return [_analyse_function(context, encoder, each) for each in context.module.functions]


@contextmanager
def _no_cycle_collection() -> Iterator[None]:
    """Pause the cyclic garbage collector.

    It would look again and again at millions of token lists, all of them alive and none of them
    part of a cycle, which takes a third of the whole time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            _count_as_old()
            gc.enable()


def _count_as_old() -> None:
    """Spare the collector a walk over what was made meanwhile: it moves to the oldest objects."""
    if gc.get_freeze_count() == 0:
        gc.freeze()
        gc.unfreeze()


def _analyse_function(
    context: ModuleContext, encoder: Encoder, function: Function
) -> AnalysedFunction:
    try:
        return _encode(context, encoder, function)
    except (IndexError, KeyError, ValueError) as error:
        # An operand that should be there is not: no check per opcode could say more than this.
        raise IRError(
            f"function {function.name} has an instruction of a form LLVM does not print: "
            "the text is damaged; print the module again with LLVM 22"
        ) from error


def _encode(context: ModuleContext, encoder: Encoder, function: Function) -> AnalysedFunction:
    scene = set_scene(context, function)
    return AnalysedFunction(
        unescape(function.name),
        function.prototype.linkage,
        [instruction.text for instruction in function.instructions],
        scene.tokens(),
        encoder.encode(scene),
        positions(function, scene.graph),
        _blocks(scene),
    )


def _blocks(scene: Scene) -> list[BasicBlock]:
    return [
        BasicBlock(unescape(block.label), block.start, block.stop, successors, depth)
        for block, successors, depth in zip(
            scene.function.blocks, scene.graph.successors, scene.loops.depth, strict=True
        )
    ]
