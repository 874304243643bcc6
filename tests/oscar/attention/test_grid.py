import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from oscar.attention.grid import GridBias
from static_analysis.errors import OscarError

SIDES = {"height": st.integers(1, 5), "width": st.integers(1, 5)}


def cells(height, width):
    return [(row, column) for row in range(height) for column in range(width)]


@settings(deadline=None)
@given(**SIDES)
def test_every_pair_of_cells_has_the_bias_of_its_rows_and_columns(height, width):
    rpe = GridBias(2, height, width)
    matrix = rpe.matrix(height * width)
    for i, (row, column) in enumerate(cells(height, width)):
        for j, (other_row, other_column) in enumerate(cells(height, width)):
            apart = torch.tensor(other_row - row), torch.tensor(other_column - column)
            assert torch.equal(matrix[:, i, j], rpe.between(*apart))


@settings(deadline=None)
@given(**SIDES)
def test_no_two_differences_share_a_bias_and_none_is_wasted(height, width):
    rpe = GridBias(1, height, width)
    rows = torch.arange(1 - height, height)[:, None]
    offsets = rows * rpe.stride + torch.arange(1 - width, width)
    assert rpe.columns(offsets).flatten().tolist() == list(range(rpe.table.shape[1]))


@settings(deadline=None)
@given(**SIDES, seed=st.integers(0, 9))
def test_offsets_on_the_line_are_those_of_the_grid(height, width, seed):
    rpe = GridBias(1, height, width)
    number = torch.arange(1.0, height * width + 1)[None, None, :, None]
    line = rpe.spread(number)
    assert torch.equal(rpe.collect(line), number)
    places = line[0, 0, :, 0].nonzero()[:, 0]
    bias = rpe.bias((places[None, :] - places[:, None]).flatten())
    assert torch.equal(bias.reshape(1, len(places), -1), rpe.matrix(height * width))


def test_a_sequence_that_is_no_such_grid_is_refused():
    with pytest.raises(OscarError, match="6 entries are no grid of 2 rows of 4"):
        GridBias(1, 2, 4).matrix(6)
