"""Modules as LLVM reads them: the text it prints and what it counts, for comparison with ours.

LLVM ends the process on some inputs, so llvmlite runs in another one, which says what it found
file by file; after a crash the next process goes on behind the file that brought it down.
"""

import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

_READER = """
import json, sys
import llvmlite.binding as llvm
for path in sys.stdin.read().split("\\n"):
    print(json.dumps({"path": path}), flush=True)
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read()
    try:
        module = llvm.parse_assembly(text)
    except RuntimeError:
        continue
    bodies = [f for f in module.functions if not f.is_declaration]
    counts = [
        [len(list(f.blocks)), sum(len(list(b.instructions)) for b in f.blocks)] for f in bodies
    ]
    names = [f.name for f in bodies]
    print(json.dumps({"path": path, "text": str(module), "names": names, "counts": counts}))
"""


@dataclass(frozen=True, slots=True)
class LlvmModule:
    """What LLVM says of a file.

    Attributes:
        path: the file.
        text: the module as LLVM prints it.
        names: the functions with a body, in order.
        counts: blocks and instructions of each.
    """

    path: str
    text: str
    names: list[str]
    counts: list[list[int]]


def read_with_llvm(paths: Sequence[str]) -> Iterator[LlvmModule]:
    """Yield the modules among the files at ``paths`` that LLVM accepts, in order."""
    while paths:
        worker = subprocess.run(
            [sys.executable, "-c", _READER],
            input="\n".join(paths),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            timeout=600,
            check=False,
        )
        reports = [json.loads(line) for line in worker.stdout.splitlines()]
        yield from (LlvmModule(**report) for report in reports if "text" in report)
        paths = paths[paths.index(reports[-1]["path"]) + 1 :]


@contextmanager
def llvm_suites(data: Path) -> Iterator[list[str]]:
    """Give the paths of LLVM's own tests among the data sets, unpacked for the time being."""
    with TemporaryDirectory() as folder:
        with tarfile.open(data / "llvm-tests" / "llvm-tests.tar.xz") as archive:
            archive.extractall(folder, filter="data")
        found = [*sorted(Path(folder).rglob("*.ll")), *sorted(data.glob("llvm-memoryssa/*.ll"))]
        yield [str(path) for path in found]


def data_folder() -> Path:
    """Return where the data sets are: ``OSCAR_DATA``, or beside the checkout."""
    return Path(os.environ.get("OSCAR_DATA", Path(__file__).parents[3] / "shared" / "data"))
