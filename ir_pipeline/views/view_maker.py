"""Equivalent views of a module: the same functions after different sequences of passes.

Follows OSCAR (Peng et al., ICML 2021, section 3.4): besides the compiler's own levels, a view is
made by a random sequence that drops between none and all of a list of passes and swaps up to 20
pairs of the rest.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import llvmlite.binding as llvm

from ir_pipeline.errors import LoweringError
from ir_pipeline.lowering.llvm import optimisable, parse, printed, target_machine
from ir_pipeline.views.module_text import definitions
from ir_pipeline.views.view_names import LEVELS

_MOST_SWAPS = 20

# Function passes in about the order of LLVM's O3, the cheap cleanups several times as there.
# Left out: passes that assume one thread or no exceptions (lower_atomic, lower_invoke), and
# loop_strength_reduce, after which LLVM's next loop pass may abort (loops not in LCSSA form).
PASSES = (
    "simplify_cfg",
    "sroa",
    "dead_code_elimination",
    "instruction_combine",
    "simplify_cfg",
    "sccp",
    "jump_threading",
    "aggressive_instcombine",
    "tail_call_elimination",
    "reassociate",
    "new_gvn",
    "mem_copy_opt",
    "dead_store_elimination",
    "loop_simplify",
    "lcssa",
    "loop_rotate",
    "instruction_combine",
    "simplify_cfg",
    "loop_deletion",
    "loop_unroll",
    "sroa",
    "sccp",
    "aggressive_dce",
    "instruction_combine",
    "jump_threading",
    "register_to_memory",
    "break_critical_edges",
    "sroa",
    "new_gvn",
    "sinking",
    "loop_simplify",
    "lower_switch",
    "unify_function_exit_nodes",
    "reassociate",
    "instruction_combine",
    "dead_store_elimination",
    "aggressive_dce",
    "simplify_cfg",
)


class ViewMaker:
    """Makes the views of one module."""

    def __init__(self, text: str, seed: str, own: Callable[[str], bool]):
        """Remembers what to make views of.

        Args:
            text: the module as lowered, printed.
            seed: says, with the view's name, which passes a random view gets: it should depend
                on the unit's content only, never on order or worker.
            own: whether a function, by name, is the unit's own; random sequences leave others
                alone.
        """
        self._text = text
        self._seed = seed
        self._own = own

    def make(self, name: str) -> str:
        """Text of the view `O0` (as it is), `O1`, `O2`, `O3` or `random-N`.

        Raises:
            LoweringError: LLVM rejects the module, or what its own passes made of it.
        """
        if name == "O0":
            return self._text
        module = self._start.clone()
        if name in LEVELS:
            optimise(module, int(name[1:]))
        else:
            own = [self._own(definition.name) for definition in definitions(self._text)]
            run_passes(module, random_sequence(f"{self._seed}/{name}"), own)
        try:
            module.verify()
        except RuntimeError as error:
            said = f"LLVM's passes for {name} break it: {error}"
            raise LoweringError(said, stage="view", reason="view not made") from None
        return printed(module)

    @cached_property
    def _start(self) -> Any:
        module = parse(optimisable(self._text).encode())
        for function, definition in zip(_defined(module), definitions(self._text), strict=True):
            # A pass that removes something unnamed would number what follows anew.
            if definition.name.isdecimal():
                function.name = definition.name
        return module


def optimise(module: Any, level: int) -> None:
    """Runs LLVM's default pipeline of speed level 0–3 on the module, in place."""
    builder = _pass_builder(module, level)
    builder.getModulePassManager().run(module, builder)


def random_sequence(seed: str) -> list[str]:
    """The passes, in order, that `seed` stands for; the same on every machine and Python."""
    # Only random() is promised to give the same numbers in every version of Python.
    draw = random.Random(int.from_bytes(hashlib.sha256(seed.encode()).digest())).random
    dropped = draw()
    kept = [name for name in PASSES if draw() >= dropped]
    for _ in range(int(draw() * (_MOST_SWAPS + 1)) if kept else 0):
        i, j = int(draw() * len(kept)), int(draw() * len(kept))
        kept[i], kept[j] = kept[j], kept[i]
    return kept


def run_passes(module: Any, names: Sequence[str], own: Sequence[bool]) -> None:
    """Runs the named function passes, in place.

    Args:
        module: an llvmlite `ModuleRef`.
        names: the passes in order.
        own: for each function with a body, in order, whether to run them on it. (By order, as
            llvmlite cannot read a name that is not UTF-8.)
    """
    builder = _pass_builder(module, level=2)
    manager = llvm.create_new_function_pass_manager()
    for name in names:
        getattr(manager, f"add_{name}_pass")()
    for function, wanted in zip(_defined(module), own, strict=True):
        if wanted:
            manager.run(function, builder)


def _defined(module: Any) -> list[Any]:
    return [function for function in module.functions if not function.is_declaration]


def _pass_builder(module: Any, level: int) -> Any:
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    # llvmlite switches this off; clang has it on from -O2.
    options.slp_vectorization = level >= 2
    return llvm.create_pass_builder(target_machine(module.triple), options)
