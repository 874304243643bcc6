"""Runs the compiler on one unit: C, C++ or a program fragment in, textual IR out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ir_pipeline.errors import LoweringError
from ir_pipeline.fragments.diagnostics import PRINT_FIXES, read_errors
from ir_pipeline.fragments.mending import mended
from ir_pipeline.fragments.repair import Attempt, dialects, first_attempt
from ir_pipeline.limits import Limits
from ir_pipeline.lowering.child import read_diagnostics
from ir_pipeline.lowering.job import Job, run_job
from ir_pipeline.lowering.precompiled import SHIM, precompiled_shim
from ir_pipeline.lowering.standards import standard_of
from ir_pipeline.lowering.toolchain import Toolchain
from ir_pipeline.sources.conditionals import branches, marked, seen
from ir_pipeline.sources.included import included_files
from ir_pipeline.sources.missing_header import explained
from ir_pipeline.sources.overlay import NOWHERE
from ir_pipeline.sources.units import Unit

# A precompiled header may only stand in for an include that comes before everything else.
_SHIM_FIRST = re.compile(
    r"\A(?:\s|//[^\n]*\n|/\*.*?\*/)*#\s*include\s*<bits/stdc\+\+\.h>", re.DOTALL
)

# How often a fragment is mended: what hides behind an error is only seen when that is gone.
_ROUNDS = 6
_MARKED = "marked"


@dataclass(frozen=True)
class Frontend:
    """A compiler with its limits and a folder for its files.

    Attributes:
        toolchain: the clang.
        limits: for each run of it.
        scratch: existing private folder; the caller removes it.
        std: value of `-std` asked for by the user, if any.
        opt: optimisation level, `O0` for IR that views are made from.
    """

    toolchain: Toolchain
    limits: Limits
    scratch: Path
    std: str | None = None
    opt: str = "O0"

    def compile_file(self, unit: Unit) -> bytes:
        """IR of a unit that is a C or C++ file.

        The compiler runs in the unit's root, so that no absolute path gets into the IR.

        Raises:
            LoweringError: it does not compile within the limits.
        """
        job = self._file_job(unit)
        try:
            return self._run(job)
        except LoweringError as error:
            build = [] if unit.build is None else [unit.build]
            raise explained(self._portable(error, build), unit) from None

    def branches_of_file(self, unit: Unit) -> frozenset[int]:
        """The branches of `#if` and its like that the compiler takes in a C or C++ file.

        Returns:
            Numbers of `sources.conditionals.branches`; all of them where that cannot be found out.
        """
        assert unit.path is not None
        code = unit.content()
        copy = (self.scratch / _MARKED).absolute()
        copy.write_bytes(marked(code))
        job = self._file_job(unit)
        return self._branches(replace(job, instead={**job.instead, unit.path: copy}), code)

    def branches_of_fragment(self, attempt: Attempt) -> frozenset[int]:
        """The same of a program fragment; no repair adds or removes a branch."""
        job = self._fragment_job(replace(attempt, code=marked(attempt.code)))
        return self._branches(job, attempt.code)

    def _branches(self, job: Job, code: bytes) -> frozenset[int]:
        try:
            return seen(self._run(replace(job, preprocess=True)))
        except LoweringError:
            return frozenset(range(len(branches(code))))

    def _file_job(self, unit: Unit) -> Job:
        assert unit.path is not None
        below = unit.path.is_relative_to(unit.root)
        file = f"./{unit.path.relative_to(unit.root)}" if below else str(unit.path)
        std = self._std_for(unit.language)
        # Where the build names a standard, the user's comes later and wins.
        asked = (f"-std={std}",) if std else ()
        command = (*self._command(unit.language, None), *unit.flags, *asked)
        folders = [flag for folder in unit.includes for flag in ("-I", folder)]
        build = [] if unit.build is None else [unit.build]
        moved = [f"-ffile-prefix-map={folder}=build" for folder in build]
        shim = self._shim_flags(unit.language, std, use=_may_use_shim(unit))
        run = (*command, *folders, *moved, *shim)
        places = [unit.root] if unit.whole_root else [unit.path, *included_files(unit)]
        hidden = dict.fromkeys(unit.links, NOWHERE)
        return Job(run, unit.language, file, unit.root, (*places, *build), hidden)

    def _portable(self, error: LoweringError, build: Sequence[Path] = ()) -> LoweringError:
        """The error as it is on every machine, wherever the compiler and the build are there."""
        said = str(error)
        for folders, name in (build, "build"), (self.toolchain.headers, "<compiler>"):
            for folder in folders:
                said = said.replace(f"{folder}/", f"{name}/")
        return LoweringError(said, stage=error.stage, reason=error.reason)

    def standard(self, unit: Unit) -> str:
        """The language standard that `compile_file` takes a unit for."""
        return standard_of(unit, self._std_for(unit.language), self.toolchain)

    def compile_fragment(self, code: str) -> tuple[bytes, Attempt]:
        """IR of a program fragment and the attempt that worked.

        It is tried in each dialect as it is before anything in it is mended.

        Raises:
            LoweringError: no attempt worked; the message is the first one's.
        """
        attempts = dialects(first_attempt(code, self.std), any_std=self.std is None)
        errors: list[LoweringError] = []
        for _ in range(_ROUNDS):
            mendable = []
            for attempt in attempts:
                try:
                    return self._run(self._fragment_job(attempt)), attempt
                except LoweringError as error:
                    errors.append(self._portable(error))
                    mendable.append(self._mended(attempt, error))
                if errors[0].reason != "compile error":
                    raise errors[0]
            attempts = [attempt for attempt in mendable if attempt is not None]
        raise errors[0]

    def _mended(self, attempt: Attempt, error: LoweringError) -> Attempt | None:
        """What to try after `attempt` failed with `error`, or None."""
        if error.reason != "compile error":
            return None
        said = read_diagnostics(self.scratch)
        return mended(attempt, read_errors(said, _name_of(attempt)))

    def _fragment_job(self, attempt: Attempt) -> Job:
        name = _name_of(attempt)
        (self.scratch / name).write_bytes(attempt.text)
        command = self._command(attempt.language, attempt.std)
        shim = self._shim_flags(attempt.language, attempt.std, use=attempt.language == "c++")
        run = (*command, *shim, PRINT_FIXES)
        return Job(run, attempt.language, f"./{name}", self.scratch, (self.scratch,))

    def _command(self, language: str, std: str | None) -> tuple[str, ...]:
        command = self.toolchain.command(language, self.opt)
        return (*command, f"-std={std}") if std else command

    def _std_for(self, language: str) -> str | None:
        """The asked standard where it is one of this language: a project may mix C and C++."""
        if self.std is None or ("++" in self.std) != (language == "c++"):
            return None
        return self.std

    def _shim_flags(self, language: str, std: str | None, *, use: bool) -> tuple[str, ...]:
        """The shim in the search path and, where it may be used, its precompiled form."""
        if not use:
            return ("-isystem", str(SHIM))
        command = self._command(language, std)
        header = precompiled_shim(command, self.toolchain.version, self.limits)
        return ("-isystem", str(SHIM), "-include-pch", str(header))

    def _run(self, job: Job) -> bytes:
        return run_job(job, self.toolchain.headers, self.scratch, self.limits)


def _name_of(attempt: Attempt) -> str:
    return "program.cpp" if attempt.language == "c++" else "program.c"


def _may_use_shim(unit: Unit) -> bool:
    """Whether the precompiled header gives the same as the text that it stands for."""
    assert unit.path is not None
    if unit.language != "c++" or not set(unit.flags[::2]) <= {"-idirafter"}:
        return False
    with unit.path.open("rb") as file:
        head = file.read(16 * 1024).decode("utf-8", "replace")
    return _SHIM_FIRST.match(head) is not None
