"""Lets CMake say how a project is compiled, without building it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from ir_pipeline.errors import one_line
from ir_pipeline.sources.compile_commands import DATABASE
from static_analysis.errors import OscarError

LISTS = "CMakeLists.txt"
_SECONDS = 600


def configure(folder: Path, build: Path) -> Path:
    """Configures the project in `folder`; nothing of it is built.

    CMake runs what the project's CMake files tell it to, small test programs among it: this is
    for projects that you would build.

    Args:
        folder: holds a `CMakeLists.txt`.
        build: new folder for what CMake writes.

    Returns:
        The compilation database.

    Raises:
        OscarError: there is no cmake, or it cannot configure the project.
    """
    cmake = shutil.which("cmake")
    if cmake is None:
        raise OscarError(
            f"{folder}: --cmake needs the program cmake: install it (apt install cmake, or "
            "pip install cmake), or leave the option out"
        )
    command = [cmake, "-S", str(folder.absolute()), "-B", str(build.absolute())]
    try:
        done = subprocess.run(
            [*command, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DCMAKE_BUILD_TYPE=Release"],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise OscarError(f"{folder}: cmake took more than {_SECONDS} s to configure it") from None
    database = build / DATABASE
    if done.returncode != 0 or not database.is_file():
        said = done.stderr.decode("utf-8", "replace") or f"it made no {DATABASE}"
        raise OscarError(one_line(f"{folder}: cmake cannot configure it: {said}"))
    return database
