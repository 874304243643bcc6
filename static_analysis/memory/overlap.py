"""Whether a write concerns what is read: apart, perhaps over some of it, surely over all.

Two accesses with one symbolic address mean one place only while the walk from one to the other
has not gone back beyond the definition of a symbol in it: around a loop the same name stands for
another value.
"""

from math import gcd

from static_analysis.memory.origins import MEETS, Location, Origin

NONE, SOME, ALL = range(3)  # how much of what is read a write concerns: perhaps some, surely all
# What a walk has gone back beyond: nothing, the definition of an index, that of the origin.
WITHIN, BEYOND_INDEX, BEYOND_ORIGIN = range(3)


def overlap(read: Location, written: Location, crossed: int) -> int:
    """Say whether a write to one location concerns a read of another.

    Args:
        read: the location read.
        written: the location that may be written, seen from the read.
        crossed: what lies between them.
    """
    origin, offset, terms, _, size = read
    base, at, steps, _, length = written
    if base is not origin:
        meets = _may_meet(origin, size, base, length)
        alone = origin.objects == (base,) and not origin.mask and base.place == 0
        return ALL if alone and _is_whole(written) else meets
    if crossed == BEYOND_ORIGIN:
        return SOME
    if _is_whole(written):
        return ALL
    if size is None or length is None:
        return SOME
    if steps != terms or (terms and crossed):
        divisor = gcd(*[scale for _, scale in terms], *[scale for _, scale in steps])
        distance = (at - offset) % divisor if divisor else 0
        return NONE if size <= distance <= divisor - length else SOME
    if at >= offset + size or at + length <= offset:
        return NONE
    return ALL if at <= offset and offset + size <= at + length else SOME


def _is_whole(written: Location) -> bool:
    """Say whether a write covers an object, so that it covers whatever may be read in it."""
    origin, offset, terms, _, size = written
    if terms or origin.size is None or size is None:
        return False
    return offset <= 0 and origin.size <= offset + size


def _may_meet(origin: Origin, size: int | None, base: Origin, length: int | None) -> int:
    """Say whether pointers of different origins may lead to the same memory."""
    if MEETS[origin.mask] & base.mask:
        if origin.is_object and length is not None and origin.size is not None:
            return SOME if length <= origin.size else NONE
        if base.is_object and size is not None and base.size is not None:
            return SOME if size <= base.size else NONE
        return SOME
    if origin.is_object and base.is_object:
        return NONE
    return SOME if not set(origin.objects).isdisjoint(base.objects) else NONE
