import torch
from torch.nn import functional as F

from oscar.pce import FIRST_INSTRUCTION, SPECIAL_ROWS, PositionalCondition, table_rows
from static_analysis.flow import positions


def test_every_code_has_a_row_of_its_own():
    codes = [positions.RETURN, positions.UNREACHABLE, positions.UNWIND, positions.CUT, 0, 1, 2]
    rows = table_rows(torch.tensor(codes), kept=2).tolist()
    assert len(set(rows[:6])) == 6
    assert min(rows) > 1  # the first two are those of the CLS entries
    assert rows[4:] == [FIRST_INSTRUCTION, FIRST_INSTRUCTION + 1, SPECIAL_ROWS[positions.CUT]]


def test_joined_products_are_the_sum_over_the_three_tables():
    condition = PositionalCondition(instructions=9, hidden_size=8, heads=2, position_size=3)
    rows = torch.randint(0, 15, (2, 5, 3), generator=torch.Generator().manual_seed(0))
    queries, keys = condition(rows)
    assert queries.shape == keys.shape == (2, 2, 5, 9)
    expected = torch.zeros(2, 2, 5, 5)
    for kind, table in enumerate(condition.tables):
        vectors = F.layer_norm(table.table.weight[rows[..., kind]], (8,))
        p, r = table.projection(vectors).chunk(2, dim=-1)
        p, r = (x.reshape(2, 5, 2, 3).transpose(1, 2) for x in (p, r))
        expected = expected + p @ r.mT
    torch.testing.assert_close(queries @ keys.mT, expected)
