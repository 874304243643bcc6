"""The environment encoding: what each instruction does to the abstract environment, in tokens.

An entry is ``context : effect``. The context says how deep in loops the instruction stands and
what decides that it runs; the effect says what is defined, from what, and how memory and control
change. The grammar is written out in ``docs/environment.md``; any change to it needs another
``ENVIRONMENT_VERSION``.
"""

from static_analysis.encoding.branches import Branches
from static_analysis.encoding.conditions import Conditions
from static_analysis.encoding.contexts import Contexts
from static_analysis.encoding.plans import Plan, Plans
from static_analysis.encoding.scene import ModuleContext, Scene
from static_analysis.encoding.sources import Sources, WrittenValues

ENVIRONMENT_VERSION = "env-3"


class Environment:
    """Encodes the functions of one module."""

    def __init__(self, context: ModuleContext) -> None:
        self._plans = Plans(context)
        self._written = WrittenValues(context.dictionary)

    def encode(self, scene: Scene) -> list[list[str]]:
        """Return the environment entry of every instruction of a function, never an empty one."""
        plans = [self._plans[instruction.form] for instruction in scene.function.instructions]
        memory = _Memory(scene, plans, self._written)
        branches = Branches(scene, Conditions(scene, self._plans))
        contexts = Contexts(scene, branches)
        instructions, names = scene.function.instructions, scene.anonymous
        entries: list[list[str]] = []
        for number, block in enumerate(scene.function.blocks):
            before = contexts[number]
            for index in range(block.start, block.stop):
                plan = plans[index]
                if plan.branches:
                    entries.append(before + branches.effect(number))
                    continue
                effect = plan.effect.fill(instructions[index].locals, names)
                if plan.may_access:
                    memory.tell(index, effect)
                entries.append(before + effect)
        return entries


class _Memory:
    """Tells what the instructions of one function read and write."""

    def __init__(self, scene: Scene, plans: list[Plan], written: WrittenValues) -> None:
        reaching = scene.reaching
        accessing = [(index, plan) for index, plan in enumerate(plans) if plan.may_access]
        writing = {store for found in reaching.values() for store in found.stores}
        writing.update([index for index, plan in accessing if plan.writes])
        self._versions = {index: f"m{number}" for number, index in enumerate(sorted(writing))}
        self._sources = Sources(scene, self._versions, written)
        self._reading = reaching.keys() | {index for index, plan in accessing if plan.reads}
        self._plans = plans

    def tell(self, index: int, effect: list[str]) -> None:
        """Add to the effect of an instruction the version it defines and what it reads."""
        version = self._versions.get(index)
        if version is not None:
            plan = self._plans[index]
            if not plan.defines:
                effect.insert(0, "<-")
            effect.insert(plan.has_result, version)
        if index in self._reading:
            effect.append("from")
            effect += self._sources[index]
