"""Generated IR with an interpreter beside it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import strategies as st

from static_analysis.encoding.scene import ModuleContext, Scene, set_scene
from static_analysis.reading.ir import Function
from static_analysis.reading.reader import read_module
from tests.static_analysis.judged_by_llvm import modules_of
from tests.static_analysis.random_ir import random_module

Operation = tuple[str, int]  # ("store" | "load" | "narrow" | "leak", slot) or ("coin" | "dice", n)


@dataclass(frozen=True)
class GeneratedFunction:
    """A random function over i32 slots; block 0 is the entry and makes the slots.

    Each block is a list of operations and the blocks it chooses between: none returns, one
    branches, two ask @coin, more switch on @dice.
    """

    slots: int
    blocks: list[tuple[list[Operation], list[int]]]

    def text(self) -> str:
        lines = ["declare i1 @coin()", "declare i32 @dice()", "declare void @leak(ptr)", ""]
        lines.append("define void @f(i32 %a) {")
        for number, (operations, targets) in enumerate(self.blocks):
            lines.append(f"b{number}:")
            if number == 0:
                lines += [f"  %s{slot} = alloca i32, align 4" for slot in range(self.slots)]
            for at, (kind, slot) in enumerate(operations):
                lines.append("  " + _operation_text(kind, slot, f"{number}.{at}"))
            lines += [f"  {line}" for line in _terminator_text(number, targets)]
        return "\n".join([*lines, "}", ""])

    def run(self, decisions: Sequence[int]) -> Iterator[tuple[int, int | None]]:
        """Execute; yield each load of a slot with the index of the last store to that slot."""
        starts = self._starts()
        last: dict[int, int] = {}
        choices = iter(decisions)
        block = 0
        while True:
            operations, targets = self.blocks[block]
            index = starts[block] + (self.slots if block == 0 else 0)
            for kind, slot in operations:
                if kind == "store":
                    last[slot] = index
                elif kind == "load":
                    yield index, last.get(slot)
                index += 1
            choice = next(choices, None)
            if not targets or choice is None:
                return
            block = targets[choice % len(targets)]

    def _starts(self) -> list[int]:
        starts, at = [], 0
        for number, (operations, targets) in enumerate(self.blocks):
            starts.append(at)
            asks = len(targets) > 1
            at += len(operations) + asks + 1 + (self.slots if number == 0 else 0)
        return starts


def _operation_text(kind: str, slot: int, unique: str) -> str:
    return {
        "store": f"store i32 %a, ptr %s{slot}, align 4",
        "load": f"%v{unique} = load i32, ptr %s{slot}, align 4",
        "narrow": f"%v{unique} = load i16, ptr %s{slot}, align 4",
        "leak": f"call void @leak(ptr %s{slot})",
    }[kind]


def _terminator_text(number: int, targets: list[int]) -> list[str]:
    if not targets:
        return ["ret void"]
    if len(targets) == 1:
        return [f"br label %b{targets[0]}"]
    if len(targets) == 2:
        first, second = targets
        return [
            f"%c{number} = call i1 @coin()",
            f"br i1 %c{number}, label %b{first}, label %b{second}",
        ]
    cases = [f"  i32 {value}, label %b{target}" for value, target in enumerate(targets[1:])]
    switch = f"switch i32 %c{number}, label %b{targets[0]} ["
    return [f"%c{number} = call i32 @dice()", switch, *cases, "]"]


@st.composite
def _functions(draw: st.DrawFn) -> GeneratedFunction:
    n_slots = draw(st.integers(1, 4))
    n_blocks = draw(st.integers(2, 9))
    slot = st.integers(0, n_slots - 1)
    kinds = st.sampled_from(["store"] * 8 + ["load"] * 10 + ["narrow", "leak"])
    operations = st.lists(st.tuples(kinds, slot), max_size=5)
    targets = st.lists(st.integers(1, n_blocks - 1), max_size=4)
    entry = st.tuples(operations, st.lists(st.integers(1, n_blocks - 1), min_size=1, max_size=4))
    blocks = [draw(entry), *(draw(st.tuples(operations, targets)) for _ in range(n_blocks - 1))]
    return GeneratedFunction(n_slots, blocks)


@pytest.fixture(scope="session")
def generated_functions() -> st.SearchStrategy[GeneratedFunction]:
    """A strategy for functions with random control flow, irreducible and dead parts included."""
    return _functions()


@pytest.fixture(scope="session")
def scene_of() -> Callable[[str], Scene]:
    """Analyse the only function of a module, keeping all intermediate results."""

    def make(text: str) -> Scene:
        module = read_module(text)
        (function,) = module.functions
        return set_scene(ModuleContext(module), function)

    return make


@pytest.fixture(scope="session")
def body_of() -> Callable[[str], Function]:
    """Read a function given by its body, with arguments ``%a`` to ``%d`` and ``%p``."""

    def make(body: str) -> Function:
        header = "define void @f(i32 %a, i32 %b, float %c, i1 %d, ptr %p) {"
        (function,) = read_module(f"{header}\n{body}\n}}\n").functions
        return function

    return make


@pytest.fixture(scope="session")
def printed(tmp_path_factory) -> list[str]:
    """Some random modules in the form LLVM prints, with every opcode among them."""
    texts = [random_module(seed) for seed in range(30)]
    return [module.text for module in modules_of(tmp_path_factory.mktemp("random"), texts)]
