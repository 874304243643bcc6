"""Positional Condition Encoding: attention learns where control goes (Peng et al., section 3.3).

Each instruction has three positions: its own, and where control goes if its condition is true or
false. Each kind has a table of vectors, layer-normed and projected to queries p and keys r of its
own; attention adds the three dot products pᵀr to the content's qᵀk.
"""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from static_analysis.flow.positions import CUT, RETURN, UNREACHABLE, UNWIND

KINDS = ("own", "true", "false")
# Rows before those of the instructions: the two CLS entries, then the ways out of a function.
CLS_INSTRUCTION, CLS_ENVIRONMENT = 0, 1
SPECIAL_ROWS = {RETURN: 2, UNREACHABLE: 3, UNWIND: 4, CUT: 5}
FIRST_INSTRUCTION = 6
DIGIT = 128
"""Instruction i is written as i // DIGIT and i % DIGIT: 16,384 of them in twice 128 vectors."""


def table_rows(codes: NDArray[np.integer], kept: int) -> NDArray[np.int64]:
    """Give the table row of each position code.

    Args:
        codes: integers of any shape; an instruction's index, or a negative code of
            `static_analysis.flow.positions`.
        kept: instructions that were kept; a target at or beyond it counts as CUT.
    """
    rows = np.where(codes < kept, codes.astype(np.int64) + FIRST_INSTRUCTION, SPECIAL_ROWS[CUT])
    for code, row in SPECIAL_ROWS.items():
        rows[codes == code] = row
    return rows


class PositionTable(nn.Module):
    """Queries and keys of one kind of position.

    The vector of an instruction is the sum of those of its index's two digits to base 128, so
    that positions far down a long function are not strangers to a model that has seen few: within
    the first 128 instructions it is a table as in the paper.

    Args:
        hidden_size: width of the table.
        heads: attention heads.
        position_size: width of a query or key of one head.
    """

    def __init__(self, hidden_size: int, heads: int, position_size: int) -> None:
        super().__init__()
        self.shape = (2, heads, position_size)
        self.special = nn.Embedding(FIRST_INSTRUCTION, hidden_size)
        self.high = nn.Embedding(DIGIT, hidden_size)
        self.low = nn.Embedding(DIGIT, hidden_size)
        self.norm = nn.LayerNorm(hidden_size)
        self.projection = nn.Linear(hidden_size, 2 * heads * position_size)

    def forward(self, rows: Tensor, longest: int) -> tuple[Tensor, Tensor]:
        """Give the queries and keys (n, heads, position_size) of table rows (n,).

        Args:
            rows: table rows of positions.
            longest: instructions of the longest function among them.
        """
        digits = torch.arange(-(-longest // DIGIT), device=rows.device)
        numbered = self.high(digits)[:, None] + self.low.weight
        table = torch.cat([self.special.weight, numbered.flatten(0, 1)])
        projected = self.projection(self.norm(table))
        chosen = nn.functional.embedding(rows, projected).unflatten(-1, self.shape)
        queries, keys = chosen.unbind(-3)
        return queries, keys


class PositionalCondition(nn.Module):
    """The three position tables, read once and shared by all function-level layers.

    The two CLS entries have rows of their own in each table, learned like the others.
    """

    def __init__(self, hidden_size: int, heads: int, position_size: int) -> None:
        super().__init__()
        self.tables = nn.ModuleList(PositionTable(hidden_size, heads, position_size) for _ in KINDS)

    def forward(self, positions: Tensor, longest: int) -> tuple[Tensor, Tensor]:
        """Give position queries and keys, (n, heads, 3 · position_size) each.

        Joined to a content query and key they add the three dot products to its logit.

        Args:
            positions: (n, 3) rows of the three tables.
            longest: instructions of the longest function.
        """
        pairs = [table(positions[:, kind], longest) for kind, table in enumerate(self.tables)]
        queries, keys = zip(*pairs, strict=True)
        return torch.cat(queries, dim=-1), torch.cat(keys, dim=-1)
