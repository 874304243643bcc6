"""Reads the ``memory(…)`` attribute (Language Reference, "Function Attributes")."""

from collections.abc import Iterable

from static_analysis.memory.origins import ANYWHERE, ERRNO, NOTHING
from static_analysis.reading.attributes import Attributes

_WRITING = frozenset({"write", "readwrite"})


def accesses_by_place(attribute: str) -> dict[str, str]:
    """Return the access an attribute allows to each place it names, in order.

    An access without a place, under an empty name here, holds for all places not named; without
    one, these are not accessed.
    """
    access = {}
    for item in attribute.split(","):
        place, _, how = item.rpartition(":")
        access[place.strip()] = how.strip()
    return access


def allowed_writes(groups: Iterable[Attributes]) -> tuple[int, bool]:
    """Return what a call may write by its attribute groups, all of which hold.

    Returns:
        The kinds of memory it may write, and whether it may write through its arguments.
    """
    kinds, through_arguments = ANYWHERE, True
    for group in groups:
        memory = group.get("memory")
        if isinstance(memory, str):
            some, through = _writes(accesses_by_place(memory))
            kinds &= some
            through_arguments &= through
    return kinds, through_arguments


def _writes(access: dict[str, str]) -> tuple[int, bool]:
    """Return what one attribute lets a call write, in the terms of ``allowed_writes``."""
    rest = access.get("", "none")
    if rest in _WRITING:
        kinds = ANYWHERE
    else:
        kinds = ERRNO if access.get("errnomem", rest) in _WRITING else NOTHING
    return kinds, access.get("argmem", rest) in _WRITING
