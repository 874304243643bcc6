"""Positional Condition Encoding: attention learns where control goes (Peng et al., section 3.3).

Each instruction has three positions: its own, and where control goes if its condition is true or
false. Each kind has a table of vectors, layer-normed and projected to queries p and keys r of its
own; attention adds the three dot products pᵀr to the content's qᵀk.
"""

import torch
from torch import Tensor, nn

from static_analysis.flow.positions import CUT, RETURN, UNREACHABLE, UNWIND

KINDS = ("own", "true", "false")
# Rows before those of the instructions: the two CLS entries, then the ways out of a function.
CLS_INSTRUCTION, CLS_ENVIRONMENT = 0, 1
SPECIAL_ROWS = {RETURN: 2, UNREACHABLE: 3, UNWIND: 4, CUT: 5}
FIRST_INSTRUCTION = 6


def table_rows(codes: Tensor, kept: int) -> Tensor:
    """Give the table row of each position code.

    Args:
        codes: int64 of any shape; an instruction's index, or a negative code of
            `static_analysis.flow.positions`.
        kept: instructions that were kept; a target at or beyond it counts as CUT.
    """
    rows = torch.where(codes < kept, codes + FIRST_INSTRUCTION, SPECIAL_ROWS[CUT])
    for code, row in SPECIAL_ROWS.items():
        rows = rows.masked_fill(codes == code, row)
    return rows


class PositionTable(nn.Module):
    """Queries and keys of one kind of position.

    Args:
        instructions: greatest number of instructions of a function.
        hidden_size: width of the table.
        heads: attention heads.
        position_size: width of a query or key of one head.
    """

    def __init__(self, instructions: int, hidden_size: int, heads: int, position_size: int) -> None:
        super().__init__()
        self.heads = heads
        self.size = position_size
        self.table = nn.Embedding(FIRST_INSTRUCTION + instructions, hidden_size)
        self.norm = nn.LayerNorm(hidden_size)
        self.projection = nn.Linear(hidden_size, 2 * heads * position_size)

    def forward(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Give the queries and keys (batch, heads, n, position_size) of table rows (batch, n)."""
        projected = self.projection(self.norm(self.table.weight))
        chosen = nn.functional.embedding(rows, projected)
        queries, keys = chosen.reshape(*rows.shape, 2, self.heads, self.size).permute(2, 0, 3, 1, 4)
        return queries, keys


class PositionalCondition(nn.Module):
    """The three position tables, read once and shared by all function-level layers.

    The two CLS entries have rows of their own in each table, learned like the others.
    """

    def __init__(self, instructions: int, hidden_size: int, heads: int, position_size: int) -> None:
        super().__init__()
        self.tables = nn.ModuleList(
            PositionTable(instructions, hidden_size, heads, position_size) for _ in KINDS
        )

    def forward(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Give position queries and keys, (batch, heads, n, 3 · position_size) each.

        Joined to a content query and key they add the three dot products to its logit.

        Args:
            positions: (batch, n, 3) rows of the three tables.
        """
        pairs = [table(positions[..., kind]) for kind, table in enumerate(self.tables)]
        queries, keys = zip(*pairs, strict=True)
        return torch.cat(queries, dim=-1), torch.cat(keys, dim=-1)
