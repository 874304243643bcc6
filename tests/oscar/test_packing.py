import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from oscar.packing import BUCKET_SLOTS, PADDING_SHARE, PADDING_SLOTS, Packing, permute

LENGTHS = st.lists(st.integers(0, 60), max_size=40)


@given(lengths=LENGTHS)
def test_what_is_spread_is_collected_again(lengths):
    packing = Packing.of(lengths)
    x = torch.arange(2.0 * sum(lengths)).reshape(-1, 2)
    parts = packing.spread(x)
    assert [part.shape for part in parts] == [(b.count, b.width, 2) for b in packing.buckets]
    assert torch.equal(packing.collect(parts), x)


@given(lengths=LENGTHS)
def test_every_sequence_stands_whole_in_one_row_of_a_bucket(lengths):
    packing = Packing.of(lengths)
    sequence = torch.arange(len(lengths)).repeat_interleave(torch.tensor(lengths, dtype=torch.long))
    place = torch.cat([torch.arange(n) for n in [0, *lengths]])
    found = []
    parts = packing.spread(torch.stack([sequence, place], dim=1))
    for bucket, part in zip(packing.buckets, parts, strict=True):
        mask = torch.ones(part.shape[:2], dtype=torch.bool) if bucket.mask is None else bucket.mask
        for row, real in zip(part, mask, strict=True):
            number, places = row[real].T
            assert len(set(number.tolist())) == 1
            assert places.tolist() == list(range(lengths[number[0]]))
            found.append(int(number[0]))
    assert sorted(found) == [i for i, n in enumerate(lengths) if n]


@given(lengths=st.lists(st.integers(1, 3000), min_size=1, max_size=60))
def test_padding_and_size_of_a_bucket_are_bounded(lengths):
    for bucket in Packing.of(lengths).buckets:
        if bucket.count > 1:
            slots = bucket.count * bucket.width
            padding = 0 if bucket.mask is None else int((~bucket.mask).sum())
            assert padding <= max(PADDING_SLOTS, PADDING_SHARE * slots)
            assert slots <= BUCKET_SLOTS


def test_no_sequences_leave_a_bucket_so_that_weights_take_part():
    packing = Packing.of([])
    (part,) = packing.spread(torch.empty(0, 3))
    assert part.shape == (0, 1, 3)
    assert packing.collect([part]).shape == (0, 3)


@pytest.mark.parametrize("lengths", [[3, 3, 3], [5, 1, 0, 9, 3, 3, 7], [200, 1, 1]])
def test_gradients_are_those_of_indexing(lengths):
    torch.manual_seed(0)
    packing = Packing.of(lengths)
    x = torch.randn(sum(lengths), 2, dtype=torch.float64, requires_grad=True)
    weights = torch.randn(len(packing.rows), 2, dtype=torch.float64)
    squares = [part.square() for part in packing.spread(x)]
    (packing.collect(squares) * weights[packing.places]).sum().backward()
    torch.testing.assert_close(x.grad, 2 * x.detach() * weights[packing.places])


def test_a_permutation_and_its_inverse_undo_each_other():
    order = torch.tensor([2, 0, 3, 1])
    x = torch.randn(4, 3, requires_grad=True)
    there = permute(x, order, order.argsort())
    assert torch.equal(there, x[order])
    (there * torch.arange(4.0)[:, None]).sum().backward()
    assert torch.equal(x.grad[order], torch.arange(4.0)[:, None].expand(4, 3))
