"""Reads the ``memory(…)`` attribute (Language Reference, "Function Attributes")."""

from collections.abc import Iterable

from static_analysis.memory.origins import ANYWHERE, ERRNO, NOTHING
from static_analysis.reading.attributes import Attributes

_WRITING = frozenset({"write", "readwrite"})


def allowed_writes(groups: Iterable[Attributes]) -> tuple[int, bool]:
    """Return what a call may write by its attribute groups, all of which hold.

    Returns:
        The kinds of memory it may write, and whether it may write through its arguments.
    """
    kinds, through_arguments = ANYWHERE, True
    for group in groups:
        memory = group.get("memory")
        if isinstance(memory, str):
            some, through = _parse(memory)
            kinds &= some
            through_arguments &= through
    return kinds, through_arguments


def _parse(attribute: str) -> tuple[int, bool]:
    """Read one attribute; an access without a place before it holds for all places not named."""
    access = {"": "none"}
    for item in attribute.split(","):
        place, _, how = item.rpartition(":")
        access[place.strip()] = how.strip()
    rest = access[""]
    if rest in _WRITING:
        kinds = ANYWHERE
    else:
        kinds = ERRNO if access.get("errnomem", rest) in _WRITING else NOTHING
    return kinds, access.get("argmem", rest) in _WRITING
