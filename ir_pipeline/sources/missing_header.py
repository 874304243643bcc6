"""Says in words that help why a project's file does not find a header."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache
from pathlib import Path

from ir_pipeline.errors import LoweringError
from ir_pipeline.sources.units import Unit, walk

_NOT_FOUND = re.compile(r"'([^']+)' file not found")
_TEMPLATES = (".in", ".cmake", ".cmake.in", ".generic", ".prebuilt", ".dist", ".template", "in")
_CONFIGURED = re.compile(r"(?:conf|version|feature|build)\w*\.h$", re.IGNORECASE)
_RECORD = "configure it and record its build: oscar preprocess --record --out CORPUS -- make"


def explained(error: LoweringError, unit: Unit) -> LoweringError:
    """`error`, or where a header is missing, an error that says where it might come from."""
    found = _NOT_FOUND.search(str(error))
    if found is None or error.reason != "compile error":
        return error
    name = found[1]
    if not unit.whole_root:
        hint = "of a single file only its own folder is seen: name the project's folder instead"
    elif (template := _template_of(name, unit)) is not None:
        hint = f"the project's configuration makes it from {template}: {_RECORD}"
    elif _CONFIGURED.search(name):
        hint = f"the project's configuration may make it: {_RECORD}"
    else:
        hint = "it is neither in the project nor among the compiler's own headers"
    said = f"{str(error)[:200]}: {hint}"
    return LoweringError(said, stage="compile", reason="missing header")


def _template_of(name: str, unit: Unit) -> str | None:
    """The file of the project that a header is made from."""
    base = posixpath.basename(name)
    wanted = {f"{base}{end}" for end in _TEMPLATES}
    return next((file for file in _files(unit.root) if posixpath.basename(file) in wanted), None)


@lru_cache(maxsize=8)
def _files(root: Path) -> tuple[str, ...]:
    return tuple(path.relative_to(root).as_posix() for path in walk(root))
