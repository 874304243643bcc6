"""Tokenizer, kernelised attention, hierarchical encoder, embeddings and the command line."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from oscar.config import OscarConfig
    from oscar.embedding import embed
    from oscar.model import OscarModel
    from oscar.tokenizer import OscarTokenizer

__all__ = ["OscarConfig", "OscarModel", "OscarTokenizer", "embed"]

# Loaded when first asked for: the command line lives here too and must not wait for torch.
_HOMES = {
    "OscarConfig": "oscar.config",
    "OscarModel": "oscar.model",
    "OscarTokenizer": "oscar.tokenizer",
    "embed": "oscar.embedding",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
