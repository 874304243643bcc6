"""What running a module showed, and the client of the process that runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from types import TracebackType
from typing import Any

from static_analysis.reading.reader import read_module

ENTRY, UNINITIALISED, ANYTHING, UNEXPLAINED = -1, -2, -3, -4  # as in records.h
VIEWS = ("O0", "O1", "O2", "O3")
Alternatives = tuple[int, ...]
_ROOT = Path(__file__).parents[3]


@dataclass
class Recording:
    """The origins that the loads of a module were seen to have.

    Attributes:
        ir: the module's text.
        loads: by function (its lexeme) and index of the load in it: the origins of the bytes it
            read. Each is a set of instructions of that function, or of the codes above, of which
            one is the origin; mostly of one.
        ends: how the runs ended.
        skip: why the module was not run.
    """

    ir: str
    loads: dict[str, dict[int, set[Alternatives]]] = field(default_factory=dict)
    ends: Counter[str] = field(default_factory=Counter)
    skip: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return plain lists and dictionaries."""
        loads = {
            name: {str(load): sorted(found) for load, found in sorted(loads.items())}
            for name, loads in self.loads.items()
        }
        return {"ir": self.ir, "loads": loads, "ends": dict(self.ends), "skip": self.skip}

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> Recording:
        """Undo ``to_json``."""
        loads = {
            name: {int(load): set(map(tuple, found)) for load, found in loads.items()}
            for name, loads in plain["loads"].items()
        }
        return cls(plain["ir"], loads, Counter(plain["ends"]), plain["skip"])


class Oracle:
    """A process that runs programs; a context manager."""

    def __init__(self, *, cxx: bool = True) -> None:
        """Start it; ``cxx`` says whether programs may need the C++ library."""
        command = [sys.executable, "-m", "tests.static_analysis.oracle.jit"]
        self._process = subprocess.Popen(
            [*command, *(["--cxx"] if cxx else [])],
            cwd=_ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Oracle:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._process:
            pass

    def record(
        self, inputs: list[str], views: tuple[str, ...] = VIEWS, **program: str | list[str]
    ) -> dict[str, Recording] | str:
        """Run the views of a program.

        Args:
            inputs: texts for standard input, one run each.
            views: names of views, in an order in which equal ones are run once.
            program: ``code`` of a fragment, or the texts of ``modules`` to be linked.

        Returns:
            A recording for each view; or why the program cannot be lowered.
        """
        process = self._process
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the process has no pipes")
        process.stdin.write(json.dumps({"inputs": inputs, "views": views, **program}) + "\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        if "skip" in answer:
            return str(answer["skip"])
        recordings: dict[str, Recording] = {}
        for view, found in answer["views"].items():
            same = found.get("same_as")
            recordings[view] = recordings[same] if same else _collected(found)
        return recordings


def _collected(found: dict[str, Any]) -> Recording:
    """Turn numbers of instructions in the module into indices in their functions."""
    recording = Recording(found["ir"], skip=found.get("skip"))
    functions = read_module(recording.ir).functions
    starts = list(accumulate((len(f.instructions) for f in functions), initial=0))
    for run in found.get("runs", ()):
        recording.ends[run["end"]] += 1
        for line in run["records"].splitlines():
            load, *origin = map(int, line.split())
            at = bisect_right(starts, load) - 1
            alternatives = tuple(code - starts[at] if code >= 0 else code for code in origin)
            loads = recording.loads.setdefault(functions[at].name, {})
            loads.setdefault(load - starts[at], set()).add(alternatives)
    return recording
