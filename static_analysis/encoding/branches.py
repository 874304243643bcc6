"""Branches in words: where control goes from a terminator on which condition."""

from static_analysis.encoding.conditions import Conditions
from static_analysis.encoding.encode_control import MAX_TARGETS
from static_analysis.encoding.scene import Scene

MAX_CASES = 3
_OTHER_WAYS = {"invoke": "normal", "catchswitch": "handler"}


class Branches:
    """Spells the branches and switches of one function."""

    def __init__(self, scene: Scene, conditions: Conditions) -> None:
        self._scene = scene
        self._conditions = conditions
        self._cases: dict[int, dict[int, list[str]]] = {}

    def effect(self, block: int) -> list[str]:
        """Return the effect of the ``br`` or ``switch`` that ends a block."""
        if self._scene.terminator(block).opcode == "switch":
            return self._switch(block)
        targets = self._scene.graph.targets[block]
        if len(targets) == 1:
            return ["goto", *self._target(block, targets[0])]
        ways = [*self._target(block, targets[0]), "else", *self._target(block, targets[1])]
        return ["if", *self._conditions[block], "goto", *ways]

    def choice(self, block: int, chosen: list[int]) -> list[str]:
        """Spell that a block with several successors chose one of the given ones."""
        terminator = self._scene.terminator(block)
        targets = self._scene.graph.targets[block]
        if terminator.opcode == "br":
            side = "when" if targets[0] in chosen else "unless"
            return [side, *self._conditions[block]]
        if terminator.opcode == "switch":
            values = [value for to in chosen for value in self._values(block).get(to, ())]
            side = "default" if targets[0] in chosen else "case"
            return [side, *self._conditions[block], *_some(values, MAX_CASES)]
        if terminator.opcode == "catchswitch" and not terminator.form.unwinds_to_caller:
            return ["unwind" if targets[-1] in chosen else "handler"]
        return [_OTHER_WAYS.get(terminator.opcode, "indirect")]

    def _target(self, block: int, target: int) -> list[str]:
        """Return a target, with ``again`` after it where the jump closes a natural loop."""
        again = (block, target) in self._scene.loops.back_edges
        return [f"l{target}", "again"] if again else [f"l{target}"]

    def _switch(self, block: int) -> list[str]:
        tokens = ["switch", *self._conditions[block]]
        values = list(self._values(block).items())
        for target, found in values[:MAX_TARGETS]:
            tokens += [*_some(found, MAX_CASES), "goto", *self._target(block, target)]
        tokens += ["more"] * (len(values) > MAX_TARGETS)
        return [*tokens, "else", *self._target(block, self._scene.graph.targets[block][0])]

    def _values(self, block: int) -> dict[int, list[str]]:
        """Return the case values that lead to each target of a block's ``switch``."""
        if block not in self._cases:
            values = self._scene.terminator(block).form.operands[1:]
            by_target = self._cases[block] = {}
            for value, to in zip(values, self._scene.graph.targets[block][1:], strict=True):
                by_target.setdefault(to, []).extend(
                    self._scene.context.dictionary[value.lexemes[0]]
                )
        return self._cases[block]


def _some(tokens: list[str], limit: int) -> list[str]:
    """Return the first tokens, with ``more`` after them if there are others."""
    return tokens if len(tokens) <= limit else [*tokens[:limit], "more"]
