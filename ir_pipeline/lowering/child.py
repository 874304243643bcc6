"""Runs a compiler as a child process that cannot outgrow its limits or outlive its parent."""

from __future__ import annotations

import ctypes
import errno
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from ir_pipeline.errors import LoweringError
from ir_pipeline.limits import Limits, limit_memory

_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of <sys/prctl.h>
_OUT_OF_MEMORY = re.compile(r"out of memory|OutOfMemory|bad_alloc", re.IGNORECASE)
_DIAGNOSTICS = "diagnostics.txt"
_DIAGNOSTICS_READ = 64 * 1024
_NO_SPACE = os.strerror(errno.ENOSPC)
# https://clang.llvm.org/docs/CommandGuide/clang.html#environment, GCC's manual (3.21), zig's.
_STEERING = {
    *("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH", "COMPILER_PATH"),
    *("LIBRARY_PATH", "GCC_EXEC_PREFIX", "DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES"),
    *("CCC_OVERRIDE_OPTIONS", "CCC_ADD_ARGS", "CLANG_CONFIG_PATH", "CL", "_CL_", "SYSROOT"),
    *("CC_PRINT_OPTIONS", "CC_PRINT_HEADERS", "CC_LOG_DIAGNOSTICS", "SOURCE_DATE_EPOCH"),
    *("ZIG_LIB_DIR", "ZIG_LIBC", "ZIG_SYSTEM_LINKER_HACK", "NIX_CFLAGS_COMPILE", "CFLAGS"),
}
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
_running: set[int] = set()


def run_limited(command: Sequence[str], *, cwd: Path, scratch: Path, limits: Limits) -> None:
    """Runs `command` to its end.

    Args:
        command: program and arguments.
        cwd: folder it runs in.
        scratch: private folder for its temporary files, caches and diagnostics.
        limits: time, memory and output size.

    Raises:
        LoweringError: it failed, was killed or ran past `limits.compile_seconds`; the message is
            its first error line.
        OSError: it failed because the disk is full.
    """
    expired = threading.Event()
    with (scratch / _DIAGNOSTICS).open("wb") as diagnostics:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env=_environment(os.environ, scratch),
            stdin=subprocess.DEVNULL,
            stdout=diagnostics,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_confine(limits),
        )
    _running.add(process.pid)
    # wait(timeout) polls and would add a fifth to the time of a small program.
    timer = threading.Timer(limits.compile_seconds, _expire, (process, expired))
    timer.start()
    try:
        status = process.wait()
    finally:
        timer.cancel()
        _kill_group(process.pid)
        _running.discard(process.pid)
    if expired.is_set():
        raise _out_of_time(limits)
    if status != 0:
        _check_disk(scratch)
        raise _failed(status, read_diagnostics(scratch), limits)


def kill_running() -> None:
    """Kills the commands that this process is running, with all that they started."""
    for leader in list(_running):
        _kill_group(leader)


def read_diagnostics(scratch: Path) -> str:
    """What the last command run with this `scratch` printed (its first 64 KiB)."""
    with (scratch / _DIAGNOSTICS).open("rb") as log:
        return log.read(_DIAGNOSTICS_READ).decode("utf-8", "replace")


def _environment(inherited: Mapping[str, str], scratch: Path) -> dict[str, str]:
    """What the compiler sees: its files go to `scratch`, its messages are in English.

    Variables that change how it reads sources stay out: they are in no manifest.
    """
    private = {
        "TMPDIR": str(scratch),
        "ZIG_GLOBAL_CACHE_DIR": str(scratch / "zig-global"),
        "ZIG_LOCAL_CACHE_DIR": str(scratch / "zig-local"),
        "LC_ALL": "C.UTF-8",
    }
    kept = {name: value for name, value in inherited.items() if name not in _STEERING}
    return {**kept, **private}


def _confine(limits: Limits) -> Callable[[], None]:
    """A function for the child, between fork and exec, that takes away its freedom."""
    seconds = int(limits.compile_seconds) + 1
    output = limits.output_mb * 2**20
    in_main_thread = threading.current_thread() is threading.main_thread()

    def confine() -> None:
        limit_memory(limits.memory_gb)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_FSIZE, (output, output))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        # The signal follows the parent's *thread*, so only a main thread may ask for it.
        if in_main_thread:
            end_with_parent()

    return confine


def end_with_parent() -> None:
    """Has the system kill this process as soon as the thread that started it ends."""
    if _LIBC is not None:
        _LIBC.prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)


def _expire(process: subprocess.Popen[bytes], expired: threading.Event) -> None:
    expired.set()
    _kill_group(process.pid)


def _kill_group(leader: int) -> None:
    # Where the whole group has already ended there is nothing to kill.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def _failed(status: int, diagnostics: str, limits: Limits) -> LoweringError:
    """Why a compiler ended with `status`."""
    if status == -signal.SIGXCPU:
        return _out_of_time(limits)
    if status == -signal.SIGXFSZ or "File too large" in diagnostics:
        said = f"the compiler wrote more than {limits.output_mb} MB"
        return LoweringError(said, stage="compile", reason="output limit")
    if _OUT_OF_MEMORY.search(diagnostics):
        said = f"the compiler needs more than {limits.memory_gb:g} GB"
        return LoweringError(said, stage="compile", reason="memory limit")
    if status < 0:
        said = f"the compiler died of {signal.Signals(-status).name}"
        return LoweringError(said, stage="compile", reason="crash")
    lines = diagnostics.splitlines() or [f"the compiler ended with status {status}"]
    # Notes and source lines follow the error that they explain; the first error says most.
    said = next((line for line in lines if "error:" in line), lines[-1])
    return LoweringError(said, stage="compile", reason="compile error")


def _check_disk(scratch: Path) -> None:
    # What a compiler could not write, its message perhaps, is gone with its output.
    said = read_diagnostics(scratch)
    if _NO_SPACE in said or (not said and shutil.disk_usage(scratch).free < _DIAGNOSTICS_READ):
        raise OSError(errno.ENOSPC, f"{_NO_SPACE}: {scratch.parent}")


def _out_of_time(limits: Limits) -> LoweringError:
    said = f"the compiler took more than {limits.compile_seconds:g} s"
    return LoweringError(said, stage="compile", reason="time limit")
