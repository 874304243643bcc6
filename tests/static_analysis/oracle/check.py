"""Holds reported reaching stores against recordings."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from tests.static_analysis.oracle.recording import (
    ANYTHING,
    ENTRY,
    UNINITIALISED,
    Alternatives,
)


@dataclass(frozen=True)
class Sources:
    """What is reported for one load: as ``static_analysis.memory.model.ReachingStores``."""

    stores: tuple[int, ...]
    entry: bool
    uninitialised: bool

    @property
    def size(self) -> int:
        """How many sources there are; what was there before the function wrote counts as one."""
        return len(self.stores) + (self.entry or self.uninitialised)


@dataclass(frozen=True)
class Violation:
    """A load that read what its sources do not hold."""

    load: int
    reported: Sources
    observed: Alternatives


def violations(
    observed: Mapping[int, set[Alternatives]], reported: Mapping[int, Sources]
) -> Iterator[Violation]:
    """Yield the origins that a function's loads had and the analysis denies.

    Args:
        observed: by load, the origins it was seen to have.
        reported: by load, its sources; unknown where there is no entry.
    """
    for load, origins in observed.items():
        sources = reported.get(load)
        if sources is None:
            continue
        for origin in sorted(origins):
            if not any(_allows(sources, code) for code in origin):
                yield Violation(load, sources, origin)


def count_seen(sources: Sources, origins: Collection[Alternatives]) -> int:
    """Return how many of a load's sources it was seen to read, or may have read."""
    seen = {code for origin in origins for code in origin}
    before = ENTRY in seen or UNINITIALISED in seen
    at_start = (sources.entry or sources.uninitialised) and before
    return len(seen.intersection(sources.stores)) + at_start


def is_certain(origin: Alternatives) -> bool:
    """Say whether an origin is one source, not one of several that cannot be told apart."""
    return len(origin) == 1 and origin != (ANYTHING,)


def _allows(sources: Sources, code: int) -> bool:
    if code == ENTRY:
        return sources.entry
    if code == UNINITIALISED:
        return sources.uninitialised
    return code == ANYTHING or code in sources.stores
