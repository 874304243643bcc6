import numpy as np
import torch
from torch.nn import functional as F

from oscar.config import LONGEST_FUNCTION
from oscar.pce import DIGIT, FIRST_INSTRUCTION, SPECIAL_ROWS, PositionalCondition, table_rows
from static_analysis.flow import positions


def test_every_code_has_a_row_of_its_own():
    codes = [positions.RETURN, positions.UNREACHABLE, positions.UNWIND, positions.CUT, 0, 1, 2]
    rows = table_rows(np.array(codes, np.int32), kept=2).tolist()
    assert len(set(rows[:6])) == 6
    assert min(rows) > 1  # the first two are those of the CLS entries
    assert rows[4:] == [FIRST_INSTRUCTION, FIRST_INSTRUCTION + 1, SPECIAL_ROWS[positions.CUT]]


def test_joined_products_are_the_sum_over_the_three_tables():
    condition = PositionalCondition(hidden_size=8, heads=2, position_size=3)
    generator = torch.Generator().manual_seed(0)
    rows = torch.randint(0, FIRST_INSTRUCTION + 300, (5, 3), generator=generator)
    queries, keys = condition(rows, longest=300)
    assert queries.shape == keys.shape == (5, 2, 9)
    expected = torch.zeros(2, 5, 5)
    for kind, table in enumerate(condition.tables):
        index = rows[:, kind] - FIRST_INSTRUCTION
        numbered = table.high(index.clamp(min=0) // DIGIT) + table.low(index.clamp(min=0) % DIGIT)
        special = table.special(rows[:, kind].clamp(max=FIRST_INSTRUCTION - 1))
        vectors = F.layer_norm(torch.where(index[:, None] < 0, special, numbered), (8,))
        p, r = table.projection(vectors).chunk(2, dim=-1)
        p, r = (x.reshape(5, 2, 3).transpose(0, 1) for x in (p, r))
        expected = expected + p @ r.mT
    torch.testing.assert_close(torch.einsum("ihp,jhp->hij", queries, keys), expected)


def test_every_instruction_of_the_longest_function_has_a_vector_of_its_own():
    condition = PositionalCondition(hidden_size=8, heads=1, position_size=4)
    rows = torch.arange(FIRST_INSTRUCTION + LONGEST_FUNCTION)[:, None].expand(-1, 3)
    queries, _ = condition(rows, LONGEST_FUNCTION)
    assert len(queries[:, 0].unique(dim=0)) == len(rows)


def test_a_position_does_not_depend_on_the_longest_function():
    condition = PositionalCondition(hidden_size=8, heads=1, position_size=4)
    rows = torch.tensor([[3, 7, 90]])
    for short, long in zip(condition(rows, 100), condition(rows, 5000), strict=True):
        torch.testing.assert_close(short, long)
