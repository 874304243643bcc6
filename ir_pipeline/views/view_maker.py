"""Equivalent views of a module: the same functions after different sequences of passes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import llvmlite.binding as llvm

from ir_pipeline.errors import LoweringError
from ir_pipeline.lowering.llvm import optimisable, parse, printed, target_machine
from ir_pipeline.views.external_opt import OptRunner
from ir_pipeline.views.module_text import definitions
from ir_pipeline.views.sequences import FUNCTION_PASSES, PIPELINE_PARTS, random_sequence
from ir_pipeline.views.view_names import EXTERNAL, LEVELS

# What a function's text has from the rest of its module: numbers of attribute groups, metadata
# and string constants.
_NUMBERED = re.compile(r"[#!]\d+|@\.str[.\d]*")


class ViewMaker:
    """Makes the views of one module.

    Attributes:
        text: the module as lowered.
    """

    def __init__(
        self, text: str, seed: str, own: Callable[[str], bool], opt: OptRunner | None = None
    ):
        """Remembers what to make views of.

        Args:
            text: the module as lowered, printed.
            seed: says, with the view's name and the code, which passes a random view gets.
            own: whether a function, by name, is the unit's own; sequences of function passes
                leave others alone.
            opt: makes the views `opt-N`.
        """
        self.text = text
        self._seed = seed
        self._own = own
        self._opt = opt

    def make(self, name: str) -> str:
        """Text of the view `O0` (as it is), `O1`, `O2`, `O3`, `random-N` or `opt-N`.

        Raises:
            LoweringError: LLVM rejects the module, or what its own passes made of it.
        """
        if name == "O0":
            return self.text
        if name.startswith(EXTERNAL):
            return self._made_by_opt(name)
        module = self._start.clone()
        if name in LEVELS:
            optimise(module, int(name[1:]))
        else:
            run_passes(module, list(self._sequences(name)))
        try:
            module.verify()
        except RuntimeError as error:
            said = f"LLVM's passes for {name} break it: {error}"
            raise LoweringError(said, stage="view", reason="view not made") from None
        return printed(module)

    @cached_property
    def _start(self) -> Any:
        module = parse(optimisable(self.text).encode())
        for function, definition in zip(_defined(module), definitions(self.text), strict=True):
            # A pass that removes something unnamed would number what follows anew.
            if definition.name.isdecimal():
                function.name = definition.name
        return module

    def _sequences(self, name: str) -> Iterator[list[str]]:
        """The passes of each function with a body, drawn by its own text; none for others."""
        for definition in definitions(self.text):
            body = _NUMBERED.sub("", self.text[definition.start : definition.stop])
            seed = f"{self._seed}/{name}/{hashlib.sha256(body.encode()).hexdigest()}"
            own = self._own(definition.name)
            yield random_sequence(seed, FUNCTION_PASSES) if own else []

    def _made_by_opt(self, name: str) -> str:
        """A view for whose passes the module is one, so that its whole text draws them."""
        assert self._opt is not None
        seed = f"{self._seed}/{name}/{hashlib.sha256(self.text.encode()).hexdigest()}"
        made = self._opt.run(str(self._start), random_sequence(seed, PIPELINE_PARTS))
        return printed(parse(made))


def optimise(module: Any, level: int) -> None:
    """Runs LLVM's default pipeline of speed level 0–3 on the module, in place."""
    builder = _pass_builder(module, level)
    builder.getModulePassManager().run(module, builder)


def run_passes(module: Any, sequences: Sequence[Sequence[str]]) -> None:
    """Runs function passes, in place.

    Args:
        module: an llvmlite `ModuleRef`.
        sequences: names of passes in order, for each function with a body, in order. (By order,
            as llvmlite cannot read a name that is not UTF-8.)
    """
    builder = _pass_builder(module, level=2)
    for function, names in zip(_defined(module), sequences, strict=True):
        manager = llvm.create_new_function_pass_manager()
        for name in names:
            getattr(manager, f"add_{name}_pass")()
        if names:
            manager.run(function, builder)


def _defined(module: Any) -> list[Any]:
    return [function for function in module.functions if not function.is_declaration]


def _pass_builder(module: Any, level: int) -> Any:
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    # llvmlite switches this off; clang has it on from -O2.
    options.slp_vectorization = level >= 2
    return llvm.create_pass_builder(target_machine(module.triple), options)
