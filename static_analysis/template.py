"""Token lists with holes: what a form says about all its instructions, spelt once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Template:
    """Tokens of a form.

    Attributes:
        tokens: the tokens, anything where a hole is.
        holes: where in ``tokens`` the holes are, and which local of the instruction goes there.
    """

    tokens: list[str]
    holes: tuple[tuple[int, int], ...]

    @staticmethod
    def of(pieces: Iterable[str | int]) -> "Template":
        """Build a template from tokens and, as numbers, holes."""
        listed = list(pieces)
        holes = tuple([(at, hole) for at, hole in enumerate(listed) if isinstance(hole, int)])
        return Template([piece if isinstance(piece, str) else "" for piece in listed], holes)

    def fill(self, names: Sequence[str]) -> list[str]:
        """Return the tokens of an instruction, given the names of all its locals in order."""
        tokens = self.tokens.copy()
        for place, hole in self.holes:
            tokens[place] = names[hole]
        return tokens
