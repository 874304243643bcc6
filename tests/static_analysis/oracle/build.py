"""Builds, once, the runtime and a shared C++ library with the clang of the ``ziglang`` wheel."""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from collections.abc import Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

_HERE = Path(__file__).parent
_RUNTIME = ("hooks.c", "process.c", "records.c", "shadow.c")
_FLAGS = ("-target", "x86_64-linux-gnu", "-fno-sanitize=undefined", "-shared", "-fPIC", "-g0")
# Left out: files, threads that wait, time zones, and what takes long and no small program uses.
_CXX = (
    *("algorithm", "atomic", "call_once", "charconv", "chrono", "condition_variable"),
    *("error_category", "exception", "fstream", "functional", "future", "hash", "ios"),
    *("ios.instantiations", "iostream", "locale", "memory", "mutex", "mutex_destructor"),
    *("new_handler", "new_helpers", "optional", "ostream", "random", "random_shuffle"),
    *("regex", "shared_mutex", "stdexcept", "string", "strstream", "system_error", "thread"),
    *("typeinfo", "valarray", "variant", "vector", "verbose_abort"),
    *("ryu/d2fixed", "ryu/d2s", "ryu/f2s"),
)
_CXX_FLAGS = (
    *("-O1", "-w", "-std=c++23", "-fvisibility=default", "-D_LIBCPP_BUILDING_LIBRARY"),
    *("-D_LIBCXXABI_BUILDING_LIBRARY", "-DLIBCXX_BUILDING_LIBCXXABI"),
    *("-Ilibcxx/src", "-Ilibcxxabi/src", "-Ilibcxx/src/include", "-Ilibcxx/libc"),
)


def runtime() -> Path:
    """Return the shared object with the hooks."""
    sources = [_HERE / name for name in (*_RUNTIME, "records.h", "shadow.h")]
    command = ("cc", *_FLAGS, "-O2", "-Wall", "-Wextra", "-Werror", *map(str, sources[:-2]))
    return _built("runtime", sources, command, _HERE)


def cxx_library() -> Path:
    """Return libc++ as a shared object with all its symbols; the first time takes minutes."""
    library = _zig().parent / "lib"
    abi = sorted(map(str, (library / "libcxxabi" / "src").glob("*.cpp")))
    sources = [f"libcxx/src/{name}.cpp" for name in _CXX]
    sources += [name for name in abi if not name.endswith("cxa_noexception.cpp")]
    unwinding = _HERE / "unwinding.cpp"
    command = ("c++", *_FLAGS, *_CXX_FLAGS, *sources, str(unwinding))
    return _built("libcxx", [unwinding], command, library)


def _zig() -> Path:
    spec = find_spec("ziglang")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("the ziglang package is not installed")
    return Path(spec.origin).with_name("zig")


def _built(name: str, sources: Sequence[Path], command: Sequence[str], cwd: Path) -> Path:
    names = [Path(part).name for part in command]
    key = hashlib.sha256(f"{version('ziglang')}{names}".encode())
    for source in sources:
        key.update(source.read_bytes())
    target = _cache() / f"{name}-{key.hexdigest()[:16]}.so"
    if not target.exists():
        with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
            made = Path(scratch) / "made.so"
            subprocess.run([_zig(), *command, "-o", str(made)], cwd=cwd, check=True)
            os.replace(made, target)
    return target


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    folder = (Path(base) if base else Path.home() / ".cache") / "oscar" / "oracle"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
