"""Lowers C and C++ to equivalent views of LLVM IR and writes them as a corpus."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ir_pipeline.corpus.build import build_corpus
    from ir_pipeline.corpus.reader import is_corpus, open_corpus
    from ir_pipeline.errors import Failure, LoweringError
    from ir_pipeline.functions import lower, read_functions
    from ir_pipeline.rows.row import FunctionView

__all__ = [
    "Failure",
    "FunctionView",
    "LoweringError",
    "build_corpus",
    "is_corpus",
    "lower",
    "open_corpus",
    "read_functions",
]

_HOME = {
    "build_corpus": "corpus.build",
    "Failure": "errors",
    "LoweringError": "errors",
    "lower": "functions",
    "read_functions": "functions",
    "is_corpus": "corpus.reader",
    "open_corpus": "corpus.reader",
    "FunctionView": "rows.row",
}


def __getattr__(name: str) -> Any:
    """Imports what is asked for and no more: pyarrow and the worker pool take their time."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
