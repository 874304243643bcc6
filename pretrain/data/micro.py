"""Cuts a step into micro-batches that fit a token budget, equally many and heavy on every rank."""

from __future__ import annotations

import heapq
from collections.abc import Sequence


def micro_batches(sizes: Sequence[int], budget: int, ranks: int) -> list[list[list[int]]]:
    """Shares the functions of a step out to the ranks and cuts each share into micro-batches.

    With ZeRO 2 and 3 the ranks talk to each other in every micro-batch, so all need equally many,
    and each waits for the slowest. The largest functions are dealt first, each to the micro-batch
    that is lightest so far; then micro-batches of similar weight run side by side.

    Args:
        sizes: Tokens of each function, at least as many functions as ranks.
        budget: Most tokens in a micro-batch. A single function may have more, and so may, where
            ranks and functions do not divide, the smallest of them together.
        ranks: Number of processes.

    Returns:
        For each rank its micro-batches, none empty, each the places of its functions in `sizes`,
        ascending.
    """
    most = len(sizes) // ranks
    needed = -(-sum(sizes) // (budget * ranks))
    for rounds in range(min(max(1, needed), most), most + 1):
        parts = _balanced(sizes, rounds * ranks)
        if all(len(part) == 1 or sum(sizes[i] for i in part) <= budget for part in parts):
            break
    return [[sorted(part) for part in parts[rank::ranks]] for rank in range(ranks)]


def _balanced(sizes: Sequence[int], count: int) -> list[list[int]]:
    """The places of `sizes` in `count` parts of similar sums, the heaviest part first."""
    parts: list[tuple[int, int, list[int]]] = [(0, number, []) for number in range(count)]
    for place in sorted(range(len(sizes)), key=lambda i: -sizes[i]):
        weight, number, members = parts[0]
        heapq.heapreplace(parts, (weight + sizes[place], number, [*members, place]))
    return [members for _, _, members in sorted(parts, key=lambda part: (-part[0], part[1]))]
