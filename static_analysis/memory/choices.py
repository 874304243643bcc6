"""What chosen pointers may point to, and which objects others may know.

A pointer chosen among others (``phi``, ``select``, a register slot after a merge) may point to
whatever they may. Both questions are about a whole function, not about a place in it.
"""

from static_analysis.memory.origins import GLOBAL, LOCAL, NOTHING, UNKNOWN, Origin
from static_analysis.memory.traffic import Traffic

_MAX_OBJECTS = 4  # that a chosen pointer may point to; beyond, it may point anywhere


def settle(traffic: Traffic) -> None:
    """Fill in objects and masks of all origins in a function's traffic.

    A choice among too many objects counts as unknown, and its objects as known to others.
    """
    lost = _spread(traffic.choices)
    for origin in (*traffic.escaping, *lost):
        for known in origin.objects:
            known.escaped |= known.kind == LOCAL
    for known in traffic.objects:
        known.mask = LOCAL if known.escaped else NOTHING
    for choice in traffic.choices:
        for known in choice.objects:
            choice.mask |= known.mask


def _spread(choices: list[Origin]) -> list[Origin]:
    """Let objects and masks flow from parts to choices; return objects of which too many met.

    A choice is looked at again only when it has grown, which happens a few times at most.
    """
    users: dict[Origin, list[Origin]] = {}
    for choice in choices:
        for part in choice.parts or ():
            users.setdefault(part, []).append(choice)
    found: dict[Origin, set[Origin]] = {choice: set() for choice in choices}
    full: set[Origin] = set()
    lost: list[Origin] = []
    work = [part for part in users if part.parts is None]
    while work:
        part = work.pop()
        objects = found.get(part, part.objects)
        for choice in users.get(part, ()):
            before = choice.mask, len(found[choice])
            choice.mask |= part.mask & ~(LOCAL | GLOBAL)
            found[choice].update(objects)
            if choice in full or len(found[choice]) > _MAX_OBJECTS:
                full.add(choice)
                lost.extend(found[choice])
                found[choice].clear()
                choice.mask |= UNKNOWN
            if before != (choice.mask, len(found[choice])):
                work.append(choice)
    for choice in choices:
        choice.objects = tuple(found[choice])
    return lost
