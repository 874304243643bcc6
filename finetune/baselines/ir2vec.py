"""IR2Vec (VenkataKeerthy et al., ACM TACO 2020) by its authors' package, where it is installed.

The package reads LLVM 16. Its vectors depend on opcodes, types and operands only, so flags and
attributes that LLVM 16 does not know are taken out of the text. It ends the process, or crashes, on
what it cannot read: each program has a process of its own.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Collection as Names
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from finetune.data.programs import Collection, Program
from ir_pipeline.engine.tasks import lowered_text
from ir_pipeline.engine.work import settings_for
from ir_pipeline.engine.workers import run_units
from ir_pipeline.scratch import scratch_folder
from ir_pipeline.sources.find import find_units

DIMENSION = 300
SECONDS = 60
"""What one program may take."""

_CHILD = """
import json, sys, ir2vec
found = ir2vec.getFunctionVectors(ir2vec.initEmbedding(sys.argv[1], "fa", "f"))
print(json.dumps([entry["vector"] for name, entry in found.items() if name.startswith("own.")]))
"""
_LINES = re.compile(r"^(?:attributes #\d+ =|!|;).*\n", re.MULTILINE)
_REFERENCES = re.compile(r" #\d+(?= |$)|, ![\w.]+ !\d+", re.MULTILINE)
_FLAGS = re.compile(
    r"\b(?:(getelementptr) (?:inbounds |nuw |nusw |inrange\([^)]*\) )+|(trunc) (?:nuw |nsw )+"
    r"|([zs]ext|uitofp) nneg |(or) disjoint |(icmp) samesign )"
)
_ATTRIBUTES = re.compile(
    r" (?:captures|initializes|range|nofpclass|dead_on_return)\((?:[^()]|\([^()]*\))*\)"
    r"| (?:dead_on_unwind|writable)\b"
)
_SYMBOL = re.compile(r'@("[^"]*"|[-\w$.]+)')


def installed() -> bool:
    """Whether the package `ir2vec` is there."""
    return find_spec("ir2vec") is not None


def ir2vec_vectors(collection: Collection) -> tuple[list[Program], np.ndarray]:
    """Flow-aware vectors at O0: the sum over the functions that a program itself defines.

    Corpora keep no whole modules, so the programs are lowered once more.

    Returns:
        The programs that it can read, and their vectors (programs, 300).
    """
    own: dict[str, set[str]] = defaultdict(set)
    for batch in collection.corpus.batches(["unit", "function"]):
        for unit, function in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            own[unit].add(function)
    vectors = {
        name: found
        for name, module in _modules(collection)
        if (found := _vector(older(module), own[name])) is not None
    }
    programs = [program for program in collection.lowered if program.name in vectors]
    table = [vectors[program.name] for program in programs]
    return programs, np.array(table).reshape(-1, DIMENSION)


def older(module: str) -> str:
    """IR as LLVM 22 prints it without what LLVM 16 does not know and IR2Vec does not look at."""
    text = _REFERENCES.sub("", _LINES.sub("", module))
    text = _FLAGS.sub(lambda found: next(filter(None, found.groups())) + " ", text)
    return _ATTRIBUTES.sub("", text)


def _modules(collection: Collection) -> Iterator[tuple[str, str]]:
    """Each lowered program's name and whole module, with the functions of headers."""
    wanted = {program.name for program in collection.lowered}
    with scratch_folder() as scratch:
        settings = settings_for("O0", None, None, None, 0, scratch)
        units = [unit for unit in find_units([collection.path], scratch) if unit.name in wanted]
        with closing(run_units(lowered_text, units, settings)) as results:
            for unit, text in results:
                if isinstance(text, str):
                    yield unit.name, text


def _vector(module: str, own: Names[str]) -> np.ndarray | None:
    """Sum of the vectors of some functions of a module (300,), or None if it cannot be read."""
    # The package names functions as they are demangled: other names are found again.
    names = {name: f"@own.{number}" for number, name in enumerate(sorted(own))}
    text = _SYMBOL.sub(lambda found: names.get(found[1].strip('"'), found[0]), module)
    with scratch_folder() as scratch:
        file = Path(scratch) / "module.ll"
        file.write_text(text)
        try:
            done = subprocess.run(
                [sys.executable, "-c", _CHILD, str(file)],
                capture_output=True,
                timeout=SECONDS,
                check=True,
            )
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            return None
    total: np.ndarray = np.array(json.loads(done.stdout.splitlines()[-1])).sum(axis=0)
    return total if total.shape == (DIMENSION,) else None
