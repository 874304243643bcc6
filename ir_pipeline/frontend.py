"""Runs the compiler on one unit: C, C++ or a program fragment in, textual IR out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ir_pipeline.child import read_diagnostics, run_limited
from ir_pipeline.diagnostics import PRINT_FIXES, read_errors
from ir_pipeline.errors import LoweringError
from ir_pipeline.limits import Limits
from ir_pipeline.mending import mended
from ir_pipeline.precompiled import SHIM, precompiled_shim
from ir_pipeline.repair import Attempt, dialects, first_attempt
from ir_pipeline.toolchain import Toolchain

# A precompiled header may only stand in for an include that comes before everything else.
_SHIM_FIRST = re.compile(
    r"\A(?:\s|//[^\n]*\n|/\*.*?\*/)*#\s*include\s*<bits/stdc\+\+\.h>", re.DOTALL
)

# How often a fragment is mended: what hides behind an error is only seen when that is gone.
_ROUNDS = 4


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

    def compile_file(
        self, path: Path, language: str, root: Path, includes: tuple[str, ...]
    ) -> bytes:
        """IR of a source file.

        Args:
            path: the file, somewhere below `root`.
            language: `c` or `c++`.
            root: folder the compiler runs in, so that no absolute path gets into the IR.
            includes: include folders relative to `root`.

        Raises:
            LoweringError: it does not compile within the limits.
        """
        command = self._command(language, self._std_for(language))
        use_pch = language == "c++" and _SHIM_FIRST.match(_head(path)) is not None
        shim = self._shim_flags(command) if use_pch else ("-isystem", str(SHIM))
        folders = [flag for folder in includes for flag in ("-I", folder)]
        return self._run((*command, *folders, *shim), f"./{path.relative_to(root)}", root)

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
                    return self._compile_attempt(attempt), attempt
                except LoweringError as error:
                    errors.append(error)
                    if error.reason != "compile error":
                        raise errors[0] from None
                    said = read_errors(read_diagnostics(self.scratch), _name_of(attempt))
                    mendable.append(mended(attempt, said))
            attempts = [attempt for attempt in mendable if attempt is not None]
        raise errors[0]

    def _compile_attempt(self, attempt: Attempt) -> bytes:
        name = _name_of(attempt)
        (self.scratch / name).write_bytes(attempt.text)
        command = self._command(attempt.language, attempt.std)
        shim: tuple[str, ...] = ("-isystem", str(SHIM))
        if attempt.language == "c++":
            shim = self._shim_flags(command)
        return self._run((*command, *shim, PRINT_FIXES), f"./{name}", self.scratch)

    def _command(self, language: str, std: str | None) -> tuple[str, ...]:
        command = self.toolchain.command(language, self.opt)
        return (*command, f"-std={std}") if std else command

    def _std_for(self, language: str) -> str | None:
        """The asked standard where it is one of this language: a project may mix C and C++."""
        if self.std is None or ("++" in self.std) != (language == "c++"):
            return None
        return self.std

    def _shim_flags(self, command: tuple[str, ...]) -> tuple[str, ...]:
        header = precompiled_shim(command, self.toolchain.version, self.limits)
        return ("-isystem", str(SHIM), "-include-pch", str(header))

    def _run(self, command: tuple[str, ...], file: str, cwd: Path) -> bytes:
        out = self.scratch / "unit.ll"
        files = ("-S", "-emit-llvm", file, "-o", str(out.absolute()))
        run_limited((*command, *files), cwd=cwd, scratch=self.scratch, limits=self.limits)
        return out.read_bytes()


def _name_of(attempt: Attempt) -> str:
    return "program.cpp" if attempt.language == "c++" else "program.c"


def _head(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(16 * 1024).decode("utf-8", "replace")
