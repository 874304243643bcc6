"""Random functions that work on arrays through pointers, with an interpreter beside them.

The function has two arrays of its own, two globals, an argument that may point to one of these,
and slots that keep a pointer and an index from block to block. ``@dice`` gives the next decision;
``@take`` and ``@any`` learn addresses, ``@any`` writes somewhere others know and returns a pointer
to there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

N = 4  # elements of each array
HEADER = f"""@g = global [{N} x i32] zeroinitializer
@h = global [{N} x i32] zeroinitializer
declare i64 @dice()
declare void @take(ptr)
declare ptr @any()

define void @f(ptr %p, i1 %c) {{"""
ENTRY = [
    f"%x = alloca [{N} x i32]",
    f"%y = alloca [{N} x i32]",
    "%kept = alloca ptr",
    "%count = alloca i64",
    "store ptr %p, ptr %kept",
    "store i64 0, ptr %count",
]
BASES = ["%x", "%y", "@g", "@h", "%p"]
KINDS = [
    *("store", "load", "element", "next", "kept", "keep", "index", "roll"),
    *("choose", "take", "any", "made"),
]

Operation = tuple[str, int, int]  # kind and two numbers that choose its operands
Place = tuple[str, int]  # array (of one activation of its alloca) and element
Reading = tuple[int, int | str]  # a load, and who wrote what it reads: instruction, entry, fresh


@dataclass(frozen=True)
class PointerProgram:
    """Operations of each block, and the blocks it chooses between."""

    blocks: list[tuple[list[Operation], list[int]]]

    def lines(self) -> list[tuple[int, str, tuple[str, ...]]]:
        """Return (block, text, what the interpreter needs) for each instruction."""
        found = [(0, text, ()) for text in ENTRY]
        for number, (operations, targets) in enumerate(self.blocks):
            pointers = list(BASES)
            for at, operation in enumerate(operations):
                for text, meaning in _spell(operation, f"{number}.{at}", pointers):
                    found.append((number, text, meaning))
            found += [(number, text, meaning) for text, meaning in _ending(number, targets)]
        return found

    def text(self) -> str:
        """Return the module."""
        texts, last = [HEADER], -1
        for number, text, _ in self.lines():
            if number != last:
                texts.append(f"b{number}:")
            texts.append(f"  {text}")
            last = number
        return "\n".join([*texts, "}", ""])

    def run(self, decisions: Sequence[int], argument: str) -> Iterator[Reading]:
        """Execute; ``argument`` is the global that ``%p`` points to."""
        return _Run(self, decisions, argument).readings()


def _spell(operation: Operation, unique: str, pointers: list[str]) -> Iterator[tuple[str, tuple]]:
    kind, first, second = operation
    pointer = pointers[first % len(pointers)]
    name = f"%{kind}{unique}"
    match kind:
        case "store":
            yield f"store i32 1, ptr {pointer}", ("store", pointer)
        case "load":
            yield f"{name} = load i32, ptr {pointer}", ("load", pointer)
        case "take":
            yield f"call void @take(ptr {pointer})", ("take", pointer)
        case "keep":
            yield f"store ptr {pointer}, ptr %kept", ("keep", pointer)
        case "roll":
            yield f"{name} = call i64 @dice()", ("roll", name)
            yield f"store i64 {name}, ptr %count", ("count", name)
        case "element":
            yield f"{name}.i = load i64, ptr %count", ("counted", f"{name}.i")
            yield (
                f"{name} = getelementptr i32, ptr {pointer}, i64 {name}.i",
                (*("step", name, pointer, f"{name}.i"),),
            )
            pointers.append(name)
        case "next":
            step = 1 + second % 2
            yield (
                f"{name} = getelementptr i32, ptr {pointer}, i64 {step}",
                (*("step", name, pointer, str(step)),),
            )
            pointers.append(name)
        case "index":
            yield f"{name}.i = load i64, ptr %count", ("counted", f"{name}.i")
            yield f"{name}.j = add i64 {name}.i, 1", ("add", f"{name}.j", f"{name}.i")
            yield f"store i64 {name}.j, ptr %count", ("count", f"{name}.j")
        case "choose":
            other = pointers[second % len(pointers)]
            yield (
                f"{name} = select i1 %c, ptr {pointer}, ptr {other}",
                (*("choose", name, pointer, other),),
            )
            pointers.append(name)
        case "kept":
            yield f"{name} = load ptr, ptr %kept", ("kept", name)
            pointers.append(name)
        case "any":
            yield f"{name} = call ptr @any()", ("any", name)
            pointers.append(name)
        case "made":
            yield f"{name} = alloca [{N} x i32]", ("made", name)
            pointers.append(name)


def _ending(number: int, targets: list[int]) -> Iterator[tuple[str, tuple]]:
    if not targets:
        yield "ret void", ("leave",)
    elif len(targets) == 1:
        yield f"br label %b{targets[0]}", ("go", targets)
    else:
        cases = " ".join(f"i64 {at}, label %b{to}" for at, to in enumerate(targets[1:]))
        yield f"%e{number} = call i64 @dice()", ()
        yield f"switch i64 %e{number}, label %b{targets[0]} [ {cases} ]", ("go", targets)


class _Run:
    """One execution. It ends where a pointer leaves its array, as C has it."""

    def __init__(self, program: PointerProgram, decisions: Sequence[int], argument: str) -> None:
        self._lines = program.lines()
        self._starts = {}
        for index, (block, _, _) in enumerate(self._lines):
            self._starts.setdefault(block, index)
        self._decisions = iter(decisions)
        self._writers: dict[Place, int] = {}
        self._known = {"@g", "@h"}
        self._activations = 0
        self._values: dict[str, int | Place] = {
            **{base: (base, 0) for base in BASES},
            **{"%p": (argument, 0), "kept": (argument, 0), "count": 0},
        }
        self._chosen = next(self._decisions, 0) % 2  # %c is the same all along

    def readings(self) -> Iterator[Reading]:
        at = 0
        try:
            while at < len(self._lines):
                meaning = self._lines[at][2]
                if meaning and meaning[0] == "load":
                    place = self._place(meaning[1])
                    nobody = "entry" if place[0][0] == "@" else "fresh"
                    yield at, self._writers.get(place, nobody)
                elif meaning and meaning[0] in ("go", "leave"):
                    if meaning[0] == "leave":
                        return
                    targets = meaning[1]
                    choice = next(self._decisions)
                    at = self._starts[targets[choice % len(targets)]]
                    continue
                elif meaning:
                    self._do(at, meaning)
                at += 1
        except (StopIteration, LookupError):
            return

    def _place(self, pointer: str) -> Place:
        place = self._values[pointer]
        if not isinstance(place, tuple) or not 0 <= place[1] < N:
            raise LookupError(pointer)
        return place

    def _do(self, at: int, meaning: tuple) -> None:
        kind, first, *others = meaning
        values = self._values
        match kind:
            case "store":
                self._writers[self._place(first)] = at
            case "take":
                self._known.add(values[first][0])
            case "keep":
                values["kept"] = values[first]
            case "kept":
                values[first] = values["kept"]
            case "roll":
                values[first] = next(self._decisions) % N
            case "count":
                values["count"] = values[first]
            case "counted":
                values[first] = values["count"]
            case "add":
                values[first] = values[others[0]] + 1
            case "step":
                array, offset = values[others[0]]
                step = int(others[1]) if others[1].isdecimal() else values[others[1]]
                values[first] = array, offset + step
            case "choose":
                values[first] = values[others[self._chosen]]
            case "any":
                known = sorted(self._known)
                place = known[next(self._decisions) % len(known)], next(self._decisions) % N
                if next(self._decisions) % 2:
                    self._writers[place] = at
                values[first] = place
            case "made":
                self._activations += 1
                values[first] = f"{first} {self._activations}", 0


@st.composite
def _rounds(draw: st.DrawFn) -> list[Operation]:
    """Return the operations of a loop that takes two pointers anew each time round.

    It reads through the one and then writes through both, so that what it reads may be from the
    time before, when each was another pointer of the same name.
    """
    base = draw(st.integers(0, len(BASES) - 1))
    sources = st.sampled_from(["element", "element", "any", "kept"])
    first, second = len(BASES), len(BASES) + 1  # places of the pointers among those of the block
    stores = draw(st.permutations([first, second]))
    change = draw(st.sampled_from([("roll", 0, 0), ("index", 0, 0), ("keep", first, 0)]))
    return [
        (draw(sources), base, 0),
        ("load", first, 0),
        change,
        (draw(sources), base, 0),
        *[("store", pointer, 0) for pointer in stores],
    ]


@st.composite
def pointer_programs(draw: st.DrawFn) -> PointerProgram:
    """Return a strategy for such functions, whose blocks mostly have something to do."""
    n_blocks = draw(st.integers(2, 6))
    often = ["store", "load", "load", "element"]
    number = st.integers(0, 11)
    operation = st.tuples(st.sampled_from(KINDS + often * 3), number, number)
    operations = st.lists(operation, min_size=2, max_size=9)
    targets = st.lists(st.integers(1, n_blocks - 1), min_size=1, max_size=3)
    blocks = [(draw(operations), draw(targets))]
    for block in range(1, n_blocks):
        if draw(st.booleans()):
            blocks.append((draw(operations), draw(targets)))
        else:
            blocks.append((draw(_rounds()) + draw(operations), [block, *draw(targets)]))
    return PointerProgram(blocks)
