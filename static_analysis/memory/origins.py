"""Where pointers come from, and which origins may mean the same memory.

What a pointer may point to is told by its *origin*: an object this function made, a variable of
the module, an argument, or something unknown. The kinds, and what each may meet, follow LLVM's
basic alias analysis (idea only): memory made here is met by no argument, and by an unknown
pointer only once its address has escaped.
"""

from dataclasses import dataclass, field
from functools import reduce
from operator import or_

LOCAL = 1  # memory made in this function whose address has escaped
ARGUMENT = 2  # what an ordinary pointer argument points to
GLOBAL = 4  # a variable this module defines
EXTERNAL = 8  # a variable it only declares
UNKNOWN = 16  # what a pointer of unknown origin points to
ERRNO = 32  # an int of the library's

NOTHING = 0
LIBRARY = ARGUMENT | EXTERNAL | UNKNOWN | ERRNO  # where memory of the library's may be met
ANYWHERE = LIBRARY | LOCAL | GLOBAL
_ERRNO_SIZE = 4
_MET_BY = {
    LOCAL: UNKNOWN,
    ARGUMENT: ARGUMENT | GLOBAL | EXTERNAL | UNKNOWN,
    GLOBAL: ARGUMENT | UNKNOWN,
    EXTERNAL: ARGUMENT | EXTERNAL | UNKNOWN,
    UNKNOWN: LOCAL | ARGUMENT | GLOBAL | EXTERNAL | UNKNOWN,
}
# By a mask of kinds: the kinds that another origin needs one of to mean the same memory.
MEETS = [
    reduce(or_, (met for kind, met in _MET_BY.items() if kind & mask), NOTHING)
    for mask in range(ERRNO)
]


@dataclass(slots=True, eq=False)
class Origin:
    """Where a pointer comes from.

    Attributes:
        kind: one of the kinds above; that of an object of this function is ``LOCAL``.
        place: the block in which the pointer is defined; each time it runs, it is another one.
        is_object: whether nothing but pointers of this origin gets there unless it escapes.
        is_fresh: whether it is memory that nobody has written when it is made.
        is_constant: whether it never changes.
        size: bytes of the object, where fixed.
        escaped: whether others may know the address of an object of this function.
        parts: of a pointer chosen among several, their origins.
        objects: the objects a pointer may point to.
        mask: kinds of shared memory a pointer may point to.
    """

    kind: int
    place: int
    is_object: bool = False
    is_fresh: bool = False
    is_constant: bool = False
    size: int | None = None
    escaped: bool = False
    parts: "list[Origin] | None" = None
    objects: "tuple[Origin, ...]" = field(init=False, repr=False)
    mask: int = field(init=False)

    def __post_init__(self) -> None:
        self.objects = (self,) if self.is_object else ()
        self.mask = NOTHING if self.kind == LOCAL else self.kind


# An address: origin, constant offset in bytes, variable terms, and the innermost block in which
# the origin or one of the terms is defined. A term is a value (by the key of its symbol) and the
# bytes it is multiplied by.
Term = tuple[object, int]
Address = tuple[Origin, int, tuple[Term, ...], int]
# A location: an address and the number of bytes from there on; None where not known.
Location = tuple[Origin, int, tuple[Term, ...], int, int | None]


def visible_to_calls(origin: Origin, size: int | None) -> int:
    """Return the kinds of memory a call must write to change what is read there."""
    library = origin.mask & (LIBRARY & ~ERRNO)
    return origin.mask | (ERRNO if library and (size is None or size <= _ERRNO_SIZE) else NOTHING)


def wrapped(offset: int, bits: int) -> int:
    """Return an offset as a signed number of so many bits, as adding it to a pointer takes it."""
    half = 1 << (bits - 1)
    return offset if -half <= offset < half else (offset + half) % (2 * half) - half
