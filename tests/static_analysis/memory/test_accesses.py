import pytest

from static_analysis.memory.accesses import Accesses
from static_analysis.memory.actions import (
    Choice,
    Copy,
    Escape,
    Exchange,
    Load,
    Slot,
    Step,
    Store,
)
from static_analysis.memory.origins import GLOBAL
from static_analysis.reading.reader import read_module

PARAMETERS = "i32 %a, i64 %i, i1 %d, ptr %p, ptr %q, <2 x ptr> %ps"
BEFORE = "%struct.s = type { i32, [4 x i16] }\n@g = global i32 0\n"


def action_of(instruction, before=BEFORE):
    """Return what the first instruction of a function does, and the accesses it was asked of."""
    module = read_module(
        f"{before}define void @f({PARAMETERS}) {{\n  {instruction}\n  unreachable\n}}\n"
    )
    accesses = Accesses(module)
    form = module.functions[0].instructions[0].form
    return accesses[form], accesses, form


@pytest.mark.parametrize(
    ("instruction", "size", "has_type"),
    [
        ("%x = alloca i32", 4, True),
        ("%x = alloca %struct.s", 12, True),
        ("%x = alloca i32, i64 3", 12, False),
        ("%x = alloca i32, i64 %i", None, False),
        ("%x = alloca <vscale x 2 x i32>", None, True),
    ],
)
def test_slots(instruction, size, has_type):
    found, _, _ = action_of(instruction)
    assert isinstance(found, Slot)
    assert (found.size, found.type is not None) == (size, has_type)


@pytest.mark.parametrize(
    ("instruction", "size", "gives_pointer", "ordered", "synchronises"),
    [
        ("%v = load i32, ptr %p", 4, False, False, False),
        ("%v = load ptr, ptr %p", 8, True, False, False),
        ("%v = load volatile i16, ptr %p", 2, False, True, False),
        ("%v = load atomic i32, ptr %p monotonic, align 4", 4, False, True, False),
        ("%v = load atomic i32, ptr %p acquire, align 4", 4, False, True, True),
        ("%v = load <vscale x 2 x i32>, ptr %p", None, False, False, False),
    ],
)
def test_loads(instruction, size, gives_pointer, ordered, synchronises):
    found, _, _ = action_of(instruction)
    assert isinstance(found, Load)
    assert found.pointer == 1  # the result is local 0
    assert (found.size, found.gives_pointer) == (size, gives_pointer)
    assert (found.ordered, found.synchronises) == (ordered, synchronises)


@pytest.mark.parametrize(
    ("instruction", "pointer", "stored", "synchronises"),
    [
        ("store i32 %a, ptr %p", 1, None, False),
        ("store i32 1, ptr %p", 0, None, False),
        ("store ptr %q, ptr %p", 1, 0, False),
        ("store atomic i32 1, ptr %p release, align 4", 0, None, False),
        ("store atomic i32 1, ptr %p seq_cst, align 4", 0, None, True),
    ],
)
def test_stores(instruction, pointer, stored, synchronises):
    found, _, _ = action_of(instruction)
    assert isinstance(found, Store)
    assert (found.pointer, found.stored, found.synchronises) == (pointer, stored, synchronises)


def test_constants_are_referred_to_by_their_address():
    found, _, _ = action_of("store ptr @g, ptr getelementptr (i8, ptr @g, i64 2)")
    (origin, offset, terms, _), stored = found.pointer, found.stored
    assert (origin.kind, offset, terms) == (GLOBAL, 2, ())
    assert stored[:2] == (origin, 0)  # one origin for each global


@pytest.mark.parametrize(
    "instruction", ["%v = load {}, ptr %p", "store [0 x i32] zeroinitializer, ptr %p"]
)
def test_nothing_is_read_or_written_where_there_is_no_byte(instruction):
    assert action_of(instruction)[0] is None


@pytest.mark.parametrize(
    ("instruction", "always", "stored", "gives_pointer", "synchronises"),
    [
        ("%o = atomicrmw add ptr %p, i32 %a monotonic", True, (), False, False),
        ("%o = atomicrmw xchg ptr %p, ptr %q acq_rel", True, (2,), True, True),
        ("%o = cmpxchg ptr %p, i32 %a, i32 1 monotonic monotonic", False, (), False, False),
        ("%o = cmpxchg ptr %p, ptr null, ptr %q release acquire", False, (2,), False, True),
    ],
)
def test_exchanges(instruction, always, stored, gives_pointer, synchronises):
    found, _, _ = action_of(instruction)
    assert isinstance(found, Exchange)
    holes = tuple(one for one in found.stored if isinstance(one, int))
    assert (found.always, holes) == (always, stored)
    assert (found.gives_pointer, found.synchronises) == (gives_pointer, synchronises)


@pytest.mark.parametrize(
    ("indices", "offset", "steps", "wraps"),
    [
        ("inbounds %struct.s, ptr %p, i64 1, i32 1, i64 2", 12 + 4 + 4, (), False),
        ("%struct.s, ptr %p, i64 %i", 0, ((2, 64, False, 12),), True),
        ("inbounds %struct.s, ptr %p, i64 0, i32 1, i32 %a", 4, ((2, 32, True, 2),), False),
        ("nusw i8, ptr %p, i64 -1", -1, (), False),
        ("<vscale x 4 x i32>, ptr %p, i64 1", 0, None, True),
    ],
)
def test_steps(indices, offset, steps, wraps):
    found, _, _ = action_of(f"%x = getelementptr {indices}")
    assert isinstance(found, Step)
    assert (found.base, found.bits) == (1, 64)
    assert (found.offset, found.steps, found.wraps) == (offset, steps, wraps)


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("%x = freeze ptr %p", Copy(1)),
        ("%x = select i1 %d, ptr %p, ptr %q", Choice((2, 3))),
        ("%x = ptrtoint ptr %p to i64", Escape((1,), gives_pointer=False, writes=False)),
        ("%x = inttoptr i64 %i to ptr", Escape((), gives_pointer=True, writes=False)),
        ("%x = extractelement <2 x ptr> %ps, i32 0", Escape((), gives_pointer=True, writes=False)),
        ("fence seq_cst", Escape((), gives_pointer=False, writes=True)),
        ("%x = va_arg ptr %p, i32", Escape((1,), gives_pointer=False, writes=True)),
        ("%x = icmp eq ptr %p, %q", None),
        ("%x = add i32 %a, 1", None),
        ("%x = getelementptr i32, <2 x ptr> %ps, i64 1", None),
    ],
)
def test_other_instructions(instruction, expected):
    assert action_of(instruction)[0] == expected


@pytest.mark.parametrize(
    ("instruction", "holes"),
    [
        ("%v = load ptr, ptr %p", ()),
        ("store ptr %q, ptr %p", (0,)),
        ("%x = getelementptr i32, ptr %p, i64 %i", (1,)),
        ("%c = icmp eq ptr %p, %q", (1, 2)),
        ('call void %p(ptr %q) [ "deopt"(ptr %q) ]', (1, 2)),
    ],
)
def test_uses_are_the_pointers_nothing_goes_through(instruction, holes):
    _, accesses, form = action_of(instruction)
    assert accesses.uses[form] == holes
