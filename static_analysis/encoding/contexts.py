"""The context of a block in words: how deep in loops it is, and what decides that it runs."""

from static_analysis.encoding.branches import Branches
from static_analysis.encoding.scene import Scene
from static_analysis.flow.control_dependence import OUTSIDE, Choice, Control

MAX_DEPTH = 9
MAX_CHOICES = 2


class Contexts:
    """Spells the contexts of the blocks of one function."""

    def __init__(self, scene: Scene, branches: Branches) -> None:
        self._scene = scene
        self._branches = branches

    def __getitem__(self, block: int) -> list[str]:
        """Return the tokens before the effects of a block's instructions, up to the colon."""
        if not self._scene.is_reachable(block):
            return ["dead", ":"]
        loops = self._scene.loops
        tokens = [f"d{min(loops.depth[block], MAX_DEPTH)}"]
        if block in loops.irreducible:
            tokens.append("irreducible")
        return [*tokens, *self._guard(self._scene.control[block]), ":"]

    def _guard(self, control: Control) -> list[str]:
        """Spell the alternatives that let a block run, ``or`` between them."""
        by_chooser: dict[int, list[Choice]] = {}
        for choice in control.choices:
            by_chooser.setdefault(choice[0], []).append(choice)
        tokens: list[str] = []
        for chooser, choices in list(by_chooser.items())[:MAX_CHOICES]:
            tokens += ["or"] * bool(tokens)
            if chooser == OUTSIDE:
                tokens += _entered(choices)
            else:
                tokens += self._branches.choice(chooser, [chosen for _, chosen in choices])
        if len(by_chooser) > MAX_CHOICES or not control.complete:
            tokens += ["or", "more"]
        return tokens


def _entered(choices: list[Choice]) -> list[str]:
    """Spell having got into a block normally, or by an exception, or either way."""
    words = {"normal" if chosen == 0 else "unwind": None for _, chosen in choices}
    return " or ".join(words).split()
