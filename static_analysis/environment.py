"""The environment encoding: what each instruction does to the abstract environment, in tokens.

An entry is ``context : effect``. The context says how deep in loops the instruction stands and
what decides that it runs; the effect says what is defined, from what, and how memory and control
change. The grammar is written out in ``docs/environment.md``; any change to it needs another
``ENVIRONMENT_VERSION``.
"""

from static_analysis.branches import Branches
from static_analysis.conditions import Conditions
from static_analysis.contexts import Contexts
from static_analysis.plans import Plans
from static_analysis.scene import ModuleContext, Scene
from static_analysis.sources import Sources, WrittenValues

ENVIRONMENT_VERSION = "env-2"


class Environment:
    """Encodes the functions of one module."""

    def __init__(self, context: ModuleContext) -> None:
        self._plans = Plans(context)
        self._written = WrittenValues(context.dictionary)

    def encode(self, scene: Scene) -> list[list[str]]:
        """Return the environment entry of every instruction of a function, never an empty one."""
        effects = _Effects(scene, self._plans, self._written)
        contexts = Contexts(scene, effects.branches)
        entries: list[list[str]] = []
        for number, block in enumerate(scene.function.blocks):
            before = contexts[number]
            last = block.stop - 1
            entries += [before + effects[index] for index in range(block.start, last)]
            entries.append(before + (effects.branches.effect(number) or effects[last]))
        return entries


class _Effects:
    """Spells the effects of the instructions of one function."""

    def __init__(self, scene: Scene, plans: Plans, written: WrittenValues) -> None:
        self.branches = Branches(scene, Conditions(scene, plans))
        self._instructions = scene.function.instructions
        self._names = scene.names
        self._plans = plans
        self._reaching = scene.reaching
        self._versions = _versions(scene, plans)
        self._sources = Sources(scene, self._versions, written)

    def __getitem__(self, index: int) -> list[str]:
        """Return the tokens after the colon."""
        instruction = self._instructions[index]
        form = instruction.form
        plan = self._plans[form]
        tokens = plan.effect.fill(self._names[index])
        version = self._versions.get(index)
        if version is not None:
            if not (form.has_result or plan.writes):
                tokens.insert(0, "<-")
            tokens.insert(form.has_result, version)
        if plan.reads or index in self._reaching:
            tokens.append("from")
            tokens += self._sources[index]
        return tokens


def _versions(scene: Scene, plans: Plans) -> dict[int, str]:
    """Name the memory version each instruction defines that writes memory, by its index."""
    writing = {store for found in scene.reaching.values() for store in found.stores}
    for index, instruction in enumerate(scene.function.instructions):
        if plans[instruction.form].writes:
            writing.add(index)
    return {index: f"m{number}" for number, index in enumerate(sorted(writing))}
