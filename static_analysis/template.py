"""Token lists with holes: what a form says about all its instructions, spelt once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Template:
    """Tokens of a form.

    Attributes:
        tokens: the tokens, anything where a hole is.
        places: where in ``tokens`` the holes are.
        holes: which local of the instruction goes into each.
    """

    tokens: list[str]
    places: tuple[int, ...]
    holes: tuple[int, ...]

    @staticmethod
    def of(pieces: Iterable[str | int]) -> "Template":
        """Build a template from tokens and, as numbers, holes."""
        listed = list(pieces)
        places = tuple([at for at, piece in enumerate(listed) if isinstance(piece, int)])
        tokens = [piece if isinstance(piece, str) else "" for piece in listed]
        return Template(tokens, places, tuple([int(listed[place]) for place in places]))

    def fill(self, names: Sequence[str]) -> list[str]:
        """Return the tokens of an instruction, given the names of all its locals in order."""
        tokens = self.tokens.copy()
        for place, hole in zip(self.places, self.holes, strict=True):
            tokens[place] = names[hole]
        return tokens
