"""Conditions in words: what must hold for a branch to be taken, as far as one can see.

A condition is spelt as the comparison that defines it. Where it joins two others (``and``,
``or``, ``not``, also as ``select`` or as the ``phi`` that ``a && b`` becomes), those are spelt.
"""

from static_analysis.encoding.pieces import operand_pieces
from static_analysis.encoding.plans import Plans
from static_analysis.encoding.scene import Scene
from static_analysis.reading.form import Form, Operand
from static_analysis.words.template import Template

_MAX_JOINTS = 1  # one within another
_COMPARISONS = frozenset({"icmp", "fcmp"})


class Conditions:
    """Spells the conditions of one function."""

    def __init__(self, scene: Scene, plans: Plans) -> None:
        self._scene = scene
        self._plans = plans
        self._known: dict[int, list[str]] = {}

    def __getitem__(self, block: int) -> list[str]:
        """Return the tokens of what the terminator of a block decides on."""
        if block not in self._known:
            at = self._scene.function.blocks[block].stop - 1
            decisive = self._scene.function.instructions[at].form.operands[0]
            self._known[block] = self._spell(at, decisive, _MAX_JOINTS)
        return self._known[block]

    def _spell(self, at: int, operand: Operand, joints: int) -> list[str]:
        """Return the tokens of an operand of instruction ``at``."""
        definition = self._definition(at, operand)
        if definition is not None:
            form = self._scene.function.instructions[definition].form
            if form.opcode in _COMPARISONS:
                effect = self._plans[form].effect
                return self._scene.fill(effect, definition)[2:]  # after v… <-
            word, joined = _joint(form) if joints else ("", ())
            if word:
                parts = [self._spell(definition, part, joints - 1) for part in joined]
                return [word, *(token for part in parts for token in part)]
        pieces = operand_pieces(operand, self._scene.context.dictionary)
        return self._scene.fill(Template.of(pieces), at)

    def _definition(self, at: int, operand: Operand) -> int | None:
        """Return the instruction that defines an operand of instruction ``at``, if one does."""
        if operand.hole is None:
            return None
        local = self._scene.function.instructions[at].locals[operand.hole]
        return self._scene.definitions.get(local)


def _joint(form: Form) -> tuple[str, tuple[Operand, ...]]:
    """Return how a form joins conditions, and which; an empty word if it does not."""
    operands = form.operands
    constants = [operand.lexemes[0] for operand in operands if operand.hole is None]
    match form.opcode, constants:
        case (("and" | "or" | "xor"), []):
            return form.opcode, operands
        case "xor", ["true"]:
            return "not", operands[:1]
        case "select", ["false"] if operands[2].hole is None:
            return "and", operands[:2]
        case "select", ["true"] if operands[1].hole is None:
            return "or", operands[::2]
        case "phi", _ if len(operands) == 2:
            return "phi", operands
    return "", ()
