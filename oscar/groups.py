"""Groups of K consecutive entries of one stream, each different group of a batch once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from oscar.encoded import Entries
from oscar.packing import Packing

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class StreamBatch:
    """The tokens of one stream of a batch with n instructions and t tokens, in groups.

    The token level reads the d tokens of the different groups, one group after the other. The
    batch's own t tokens stand in their natural order: function after function, entry after entry.

    Attributes:
        tokens: (d,) ids.
        slots: (d,) place, 0 to K - 1, of each token's entry in its group.
        places: (d,) place of each token in its entry.
        sizes: (different groups · slots,) tokens of each entry of each group.
        entries: (n,) which of the `sizes` is that of each instruction of the batch.
        rows: (t,) which of the d tokens each token of the batch is.
        owners: (t,) instruction of each token of the batch.
        packing: of the different groups.
        count: different groups.
    """

    tokens: Tensor
    slots: Tensor
    places: Tensor
    sizes: Tensor
    entries: Tensor
    rows: Tensor
    owners: Tensor
    packing: Packing
    count: int

    @property
    def ids(self) -> Tensor:
        """Ids (t,) of the batch's tokens in natural order."""
        return self.tokens[self.rows]

    def to(self, device: torch.device | str) -> "StreamBatch":
        """Copy to a device."""
        return StreamBatch(
            self.tokens.to(device),
            self.slots.to(device),
            self.places.to(device),
            self.sizes.to(device),
            self.entries.to(device),
            self.rows.to(device),
            self.owners.to(device),
            self.packing.to(device),
            self.count,
        )


def group_entries(functions: Sequence[Entries], groups: Numbers, slots: Numbers) -> StreamBatch:
    """Lay out one stream of functions by groups.

    Args:
        functions: the stream's entries of each function, n in all.
        groups: (n,) group of each entry.
        slots: (n,) its place in the group.
    """
    ids = np.concatenate([entries.ids for entries in functions]).astype(np.int64)
    lengths = np.concatenate([entries.lengths for entries in functions]).astype(np.int64)
    sizes = np.zeros((int(groups[-1]) + 1, int(slots.max()) + 1), np.int64)
    sizes[groups, slots] = lengths
    totals = sizes.sum(1)
    originals, firsts = _originals(ids, sizes)
    different = totals[firsts]
    owners = np.repeat(np.arange(len(lengths)), lengths)
    places = np.arange(len(ids)) - np.repeat(lengths.cumsum() - lengths, lengths)
    kept = _spans(totals.cumsum() - totals, totals, firsts)
    starts = different.cumsum() - different
    return StreamBatch(
        tokens=torch.from_numpy(ids[kept]),
        slots=torch.from_numpy(slots[owners[kept]]),
        places=torch.from_numpy(places[kept]),
        sizes=torch.from_numpy(sizes[firsts].ravel()),
        entries=torch.from_numpy(originals[groups] * sizes.shape[1] + slots),
        rows=torch.from_numpy(_spans(starts, different, originals)),
        owners=torch.from_numpy(owners),
        packing=Packing.of(different),
        count=len(firsts),
    )


def grouped(lengths: Numbers, group_size: int) -> tuple[Numbers, Numbers]:
    """Group the entries of functions by K; the last group of a function may have fewer.

    Args:
        lengths: entries of each function, n in all.
        group_size: K.

    Returns:
        (n,) group of each entry, numbered through, and (n,) its slot, 0 to K - 1.
    """
    place = np.arange(lengths.sum()) - np.repeat(lengths.cumsum() - lengths, lengths)
    counts = -(-lengths // group_size)
    first = np.repeat(counts.cumsum() - counts, lengths)
    return first + place // group_size, place % group_size


def _spans(starts: Numbers, lengths: Numbers, chosen: Numbers) -> Numbers:
    """Give the rows of the chosen spans, one span after the other.

    Args:
        starts: first row of each span.
        lengths: rows of each span.
        chosen: numbers of spans.
    """
    sizes = lengths[chosen]
    within = np.arange(sizes.sum()) - np.repeat(sizes.cumsum() - sizes, sizes)
    rows: Numbers = np.repeat(starts[chosen], sizes) + within
    return rows


def _originals(ids: Numbers, sizes: Numbers) -> tuple[Numbers, Numbers]:
    """Tell groups apart by their tokens and the lengths (groups, K) of their entries.

    Returns:
        (groups,) which of the different groups each one is, and the first of each of these.
    """
    stops = sizes.sum(1).cumsum()
    seen: dict[bytes, int] = {}
    numbers = np.empty(len(sizes), np.int64)
    for group, part in enumerate(np.split(ids, stops[:-1])):
        numbers[group] = seen.setdefault(sizes[group].tobytes() + part.tobytes(), len(seen))
    return numbers, np.unique(numbers, return_index=True)[1]
