"""LLVM's own `opt`, for the passes that llvmlite does not offer: inliners, vectorisers, modules.

It reads IR that nobody vouches for, so it runs as the compiler does: a child process with limits
that ends with its parent.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ir_pipeline.errors import LoweringError
from ir_pipeline.limits import Limits
from ir_pipeline.lowering.child import read_diagnostics, run_limited
from static_analysis.errors import OscarError

LLVM_MAJOR = 22
"""The LLVM that views are read back with; another one's IR may have words that it lacks."""

_VERSION = re.compile(r"LLVM version ((\d+)\.\S+)")
_IN, _OUT = "view-in.ll", "view-out.ll"


@dataclass(frozen=True)
class Opt:
    """An `opt` of the right version.

    Attributes:
        program: its path.
        version: for people and manifests.
    """

    program: str
    version: str


def find_opt(path: Path) -> Opt:
    """The `opt` at `path`, or of that name on the `PATH`.

    Raises:
        OscarError: it is not there, is no `opt`, or one of another LLVM.
    """
    program = shutil.which(str(path))
    if program is None:
        raise OscarError(f"--opt {path}: no such program")
    program = str(Path(program).absolute())
    version = _VERSION.search(_said((program, "--version")))
    if version is None:
        raise OscarError(f"--opt {path}: not LLVM's opt: --version does not say 'LLVM version …'")
    if int(version[2]) != LLVM_MAJOR:
        raise OscarError(
            f"--opt {path}: of LLVM {version[1]}, whose IR LLVM {LLVM_MAJOR} may not read: "
            f"name an opt of LLVM {LLVM_MAJOR}"
        )
    return Opt(program, version[1])


@dataclass(frozen=True)
class OptRunner:
    """An `opt`, a private folder for its files, and what a run of it may cost."""

    opt: Opt
    scratch: Path
    limits: Limits

    def run(self, text: str, pipeline: Sequence[str]) -> bytes:
        """IR that the parts of `pipeline`, in the textual form of LLVM's pass manager, make.

        Args:
            text: a module.
            pipeline: such as `function(sroa)`, `cgscc(inline)`, `globaldce`; empty for none.

        Raises:
            LoweringError: `opt` fails, or does not end within its limits.
        """
        (self.scratch / _IN).write_text(text, encoding="utf-8")
        passes = f"-passes={','.join(pipeline) or 'verify'}"
        command = (self.opt.program, "-S", passes, _IN, "-o", _OUT)
        limits = replace(self.limits, compile_seconds=self.limits.view_seconds)
        try:
            run_limited(command, cwd=self.scratch, scratch=self.scratch, limits=limits)
        except LoweringError as error:
            reason = "view not made" if error.reason == "compile error" else error.reason
            said = str(error).replace("the compiler", "opt")
            raise LoweringError(said, stage="view", reason=reason) from None
        return (self.scratch / _OUT).read_bytes()


def _said(command: Sequence[str]) -> str:
    """What a program prints; nothing where it fails."""
    with tempfile.TemporaryDirectory(prefix="oscar-") as scratch:
        folder = Path(scratch)
        limits = Limits(compile_seconds=20)
        try:
            run_limited(command, cwd=folder, scratch=folder, limits=limits)
        except (LoweringError, OSError):
            return ""
        return read_diagnostics(folder)
