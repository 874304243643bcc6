"""Every module of LLVM's own tests that LLVM reads, read with the same result."""

import json
import subprocess
import sys
import tarfile

import pytest

from static_analysis import analyse
from static_analysis.lexer import lexemes

# LLVM ends the process on some inputs, so it reads in another one, which says what it found
# file by file; after a crash the next process goes on behind the file that brought it down.
READER = """
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


def read_with_llvm(paths):
    """Yield what LLVM says of each file it reads."""
    while paths:
        worker = subprocess.run(
            [sys.executable, "-c", READER],
            input="\n".join(paths),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            timeout=300,
            check=False,
        )
        reports = [json.loads(line) for line in worker.stdout.splitlines()]
        yield from (report for report in reports if "text" in report)
        paths = paths[paths.index(reports[-1]["path"]) + 1 :]


def check(report):
    functions = analyse(report["text"])
    assert [[len(f.blocks), len(f.instructions)] for f in functions] == report["counts"]
    for function, name in zip(functions, report["names"], strict=True):
        assert function.name == name or (not name and function.name.isdecimal())
        streams = function.tokens, function.environment, function.positions
        assert {len(stream) for stream in streams} == {len(function.instructions)}
        for text, tokens, entry in zip(
            function.instructions, function.tokens, function.environment, strict=True
        ):
            assert _squeezed("".join(lexemes(text))) == _squeezed(text)
            assert all((tokens, entry))
            assert all(token.isascii() and token.isprintable() for token in tokens + entry)


def _squeezed(text):
    return "".join(text.split())


def test_memory_ssa_tests(data):
    reports = list(read_with_llvm([str(p) for p in sorted((data / "llvm-memoryssa").glob("*.ll"))]))
    assert len(reports) > 30
    for report in reports:
        check(report)


@pytest.mark.slow
def test_llvm_tests(data, tmp_path):
    with tarfile.open(data / "llvm-tests" / "llvm-tests.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    reports = list(read_with_llvm([str(path) for path in sorted(tmp_path.rglob("*.ll"))]))
    assert len(reports) > 700
    for report in reports:
        try:
            check(report)
        except Exception as error:
            raise AssertionError(f"{report['path']}: {error}") from error
