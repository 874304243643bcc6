"""Memory effects of callees in words, from LLVM's ``memory(…)`` attribute.

``spares``, ``reads``, ``writes``, ``clobbers`` say what may happen; a location after one of them
limits it. ``pure`` alone means no memory at all, ``clobbers`` alone that nothing is known.
"""

from collections.abc import Iterable

from static_analysis.attributes import Attributes

_ACCESS = {"none": "spares", "read": "reads", "write": "writes", "readwrite": "clobbers"}
_LOCATION = {"argmem": "arguments", "inaccessiblemem": "inaccessible", "errnomem": "errno"}


def memory_effect(groups: Iterable[Attributes]) -> list[str]:
    """Return the effect words of a call.

    Args:
        groups: the attribute groups that hold for it; the first one with a ``memory``
            attribute decides.
    """
    for group in groups:
        found = group.get("memory")
        if isinstance(found, str):
            return _effect_words(found)
    return ["clobbers"]


def _effect_words(attribute: str) -> list[str]:
    if attribute == "none":
        return ["pure"]
    words = []
    for item in attribute.split(","):
        location, _, access = item.strip().rpartition(":")
        words.append(_ACCESS.get(access.strip(), "clobbers"))
        if location:
            words.append(_LOCATION.get(location.strip(), "elsewhere"))
    return words
