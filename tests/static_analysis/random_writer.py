"""Writes random functions of LLVM IR, instruction by instruction, over the values seen so far."""

from collections.abc import Callable
from random import Random

from tests.static_analysis.random_values import SIZED, constant


class InstructionWriter:
    """Writes instructions whose operands are constants and the values defined so far."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self._unnamed = self._named = 0
        self._everywhere: dict[str, list[str]] = {}  # parameters, and the entry's, dominate all
        self._here = self._everywhere

    def open_block(self) -> None:
        """Forget what was defined outside the entry."""
        self._here = {}

    def define(self, kind: str) -> str:
        """Return a fresh name for a value of a type."""
        if self.rng.random() < 0.3:
            name, self._unnamed = f"%{self._unnamed}", self._unnamed + 1
        else:
            self._named += 1
            forms = ("%v{}", "%a.b-c${}", '%"x; \\22{}\\22"', '%"\\C3\\A9 {}"')
            name = self.rng.choice(forms).format(self._named)
        self._here.setdefault(kind, []).append(name)
        return name

    def operand(self, kind: str) -> str:
        """Return a value of a type, without the type."""
        known = self._everywhere.get(kind, []) + self._here.get(kind, [])
        use_known = known and self.rng.random() < 0.7
        return self.rng.choice(known) if use_known else constant(self.rng, kind)

    def typed(self, kind: str) -> str:
        """Return a value with its type."""
        return f"{kind} {self.operand(kind)}"

    def metadata(self) -> str:
        """Return an attachment, or nothing."""
        return self.rng.choice(("", "", "", ", !kind !0", ", !kind !0, !other !{}"))

    def instruction(self, make: Callable[["InstructionWriter"], tuple[str, str]]) -> str:
        """Write what a maker gives: the text behind the result, and the result's type."""
        text, kind = make(self)
        return self._line(text, kind)

    def _line(self, text: str, kind: str) -> str:
        result = f"{self.define(kind)} = " if kind != "void" else ""
        return f"  {result}{text}{self.metadata()}"

    def phi(self, before: list[str]) -> str:
        """Write a phi over blocks; what it brings together is known everywhere."""
        kind = self.rng.choice(SIZED)
        known = self._everywhere.get(kind, [])
        values = [
            self.rng.choice(known)
            if known and self.rng.random() < 0.5
            else constant(self.rng, kind)
            for _ in before
        ]
        listed = ", ".join(f"[ {v}, %{b} ]" for v, b in zip(values, before, strict=True))
        return self._line(f"phi {kind} {listed}", kind)

    def pad(self, pad: str, label: str) -> str:
        """Write the instruction that begins a pad of a kind."""
        if pad == "landing":
            clauses = ("cleanup", "catch ptr @table", "filter [1 x ptr] [ptr @table]")
            listed = self.rng.sample(clauses, self.rng.randint(1, 3))
            text = "".join(f"\n          {clause}" for clause in listed if clause != "cleanup")
            cleanup = "\n          cleanup" if "cleanup" in listed else ""
            return self._line("landingpad { ptr, i32 }" + cleanup + text, "{ ptr, i32 }")
        if pad == "cleanuppad":
            return f"  %{label}.pad = cleanuppad within none []"
        return f"  %{label}.pad = {pad} [ptr null, i32 64, ptr @table]"
