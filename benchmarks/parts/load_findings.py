"""Checks the recordings of one program and counts: what ``reaching_stores`` puts in its table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.parts.nearest_version import nearest_versions
from static_analysis.flow.cfg import control_flow
from static_analysis.reading.ir import Function
from static_analysis.reading.reader import read_module
from tests.static_analysis.oracle.check import Sources, count_seen, is_certain, violations
from tests.static_analysis.oracle.recording import Alternatives, Recording
from tests.static_analysis.oracle.reported import reported_sources
from tests.static_analysis.oracle.store import read_program

_READS = frozenset({"load", "atomicrmw", "cmpxchg"})
OURS, NEAREST = "reaching stores", "nearest version"


@dataclass
class Figures:
    """Counts over the executed loads of one view, by one way to find what they read.

    Attributes:
        loads: those executed.
        certain: of them, those that were seen to read one source each time, not one of several.
        wrong: those that read what the way denies.
        complete: those that the way gives a set for.
        sources: elements of these sets.
        seen: of them, those that a run showed.
        exact: sets of one element.
    """

    loads: int = 0
    certain: int = 0
    wrong: int = 0
    complete: int = 0
    sources: int = 0
    seen: int = 0
    exact: int = 0

    def add(self, other: Figures) -> None:
        """Add counts of other loads."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def to_json(self) -> dict[str, float]:
        """Return the figures that the table shows."""
        return {
            "loads_executed": self.loads,
            "origin_certain": self.certain / max(self.loads, 1),
            "violations": self.wrong,
            "complete": self.complete / max(self.loads, 1),
            "mean_set_size": self.sources / max(self.complete, 1),
            "sources_seen": self.seen / max(self.sources, 1),
            "exact": self.exact / max(self.loads, 1),
        }


@dataclass
class Findings:
    """What checking programs found.

    Attributes:
        figures: by view and way.
        programs: recorded programs by view.
        skips: programs without a recording, by view and reason.
        ends: how runs ended, by view and reason.
        violated: a text for each violation of the analysis, enough to reproduce it.
    """

    figures: dict[tuple[str, str], Figures] = field(default_factory=dict)
    programs: Counter[str] = field(default_factory=Counter)
    skips: Counter[tuple[str, str]] = field(default_factory=Counter)
    ends: Counter[tuple[str, str]] = field(default_factory=Counter)
    violated: list[str] = field(default_factory=list)

    def add(self, other: Findings) -> None:
        """Add what other programs showed."""
        for key, figures in other.figures.items():
            self.figures.setdefault(key, Figures()).add(figures)
        self.programs += other.programs
        self.skips += other.skips
        self.ends += other.ends
        self.violated += other.violated


def check_program(place: Path, views: Sequence[str]) -> Findings:
    """Check the recordings of one program; equal views are analysed once."""
    program, findings = read_program(place), Findings()
    checked: dict[str, _Checked] = {}
    for view in views:
        recording = program.views.get(view)
        if recording is None or recording.skip is not None:
            why = program.skip if recording is None else recording.skip
            findings.skips[view, why or "view not made"] += 1
            continue
        findings.programs[view] += bool(recording.loads)
        findings.ends += Counter({(view, end): count for end, count in recording.ends.items()})
        if recording.ir not in checked:
            checked[recording.ir] = _check(recording)
        figures, violated = checked[recording.ir]
        for way, counts in figures.items():
            findings.figures.setdefault((view, way), Figures()).add(counts)
        findings.violated += [f"{program.name} {view} {text}" for text in violated]
    return findings


_Checked = tuple[dict[str, Figures], list[str]]


def _check(recording: Recording) -> _Checked:
    """Return the counts by way, and the violations of the analysis."""
    module = read_module(recording.ir)
    ours = reported_sources(module, recording.loads)
    figures: dict[str, Figures] = {OURS: Figures(), NEAREST: Figures()}
    violated: list[str] = []
    for function in module.functions:
        observed = recording.loads.get(function.name, {})
        if not observed:
            continue
        reported = ours[function.name]
        violated += [f"{function.name}{text}" for text in _violations(function, observed, reported)]
        loads = {
            load: origins
            for load, origins in observed.items()
            if function.instructions[load].opcode in _READS
        }
        figures[OURS].add(_figures(loads, reported))
        nearest = nearest_versions(function, module, control_flow(function))
        figures[NEAREST].add(_figures(loads, nearest))
    return figures, violated


def _violations(
    function: Function,
    observed: Mapping[int, set[Alternatives]],
    reported: Mapping[int, Sources],
) -> Iterator[str]:
    for found in violations(observed, reported):
        text = function.instructions[found.load].text
        yield f" {found.load}: {text}\n    reported {found.reported}, read {found.observed}"


def _figures(observed: Mapping[int, set[Alternatives]], sources: Mapping[int, Sources]) -> Figures:
    known = [sources[load] for load in observed if load in sources]
    return Figures(
        loads=len(observed),
        certain=sum(all(map(is_certain, origins)) for origins in observed.values()),
        wrong=len({found.load for found in violations(observed, sources)}),
        complete=len(known),
        sources=sum(found.size for found in known),
        seen=sum(
            count_seen(sources[load], origins)
            for load, origins in observed.items()
            if load in sources
        ),
        exact=sum(found.size == 1 for found in known),
    )
