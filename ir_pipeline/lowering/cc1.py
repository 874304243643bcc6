"""Calls clang's front end itself: the driver, which only works out its flags, is asked once.

That saves a third of the time of a small program. zig's driver would also write caches, and stumble
over file names with quotes and line ends.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from ir_pipeline.limits import Limits
from ir_pipeline.lowering.child import read_diagnostics, run_limited

_INPUT = "oscar-input"
_OUTPUT = "oscar-output"
_known: dict[tuple[str, ...], tuple[str, ...]] = {}


def cc1_command(
    command: tuple[str, ...], language: str, file: str, out: Path, scratch: Path, limits: Limits
) -> tuple[str, ...]:
    """The command with which the driver `command` would turn `file` into IR.

    Args:
        command: the driver with all flags but those of files.
        language: `c` or `c++`.
        file: the source, as it shall be named in messages and in `__FILE__`.
        out: file for the IR.
        scratch: as in `run_limited`.
        limits: for the driver.

    Raises:
        LoweringError: the driver does not take the flags.
    """
    asked = (*command, "-x", language, "-S", "-emit-llvm", f"./{_INPUT}", "-o", _OUTPUT)
    if asked not in _known:
        (scratch / _INPUT).touch()
        run_limited((*asked, "-###"), cwd=scratch, scratch=scratch, limits=limits)
        _known[asked] = _command_in(read_diagnostics(scratch)) or asked
    names = {f"./{_INPUT}": file, _OUTPUT: str(out)}
    return tuple(names.get(word, word) for word in _known[asked])


def _command_in(said: str) -> tuple[str, ...]:
    """The front end's command among what a driver prints; empty where there is none."""
    line = next((line for line in said.splitlines() if '"-cc1"' in line), "")
    program, *flags = shlex.split(line) or [""]
    if "-o" not in flags:
        return ()
    # zig's driver, told to print only, has the output thrown away; and zig is many programs in one.
    flags[flags.index("-o") + 1] = _OUTPUT
    return (program, *(("clang",) if os.path.basename(program) == "zig" else ()), *flags)
