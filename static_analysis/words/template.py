"""Token lists with holes: what a form says about all its instructions, spelt once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(slots=True)
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
        tokens: list[str] = []
        holes: list[tuple[int, int]] = []
        for piece in pieces:
            if isinstance(piece, int):
                holes.append((len(tokens), piece))
                tokens.append("")
            else:
                tokens.append(piece)
        return Template(tokens, tuple(holes))

    def fill(self, locals_: Sequence[str], names: Mapping[str, str]) -> list[str]:
        """Return the tokens of one instruction.

        Args:
            locals_: its locals, in order.
            names: what each local is called.
        """
        tokens = self.tokens.copy()
        for place, hole in self.holes:
            tokens[place] = names[locals_[hole]]
        return tokens
