"""The tools that can change a row: their versions belong to a corpus, and are equal anywhere."""

from __future__ import annotations

from importlib.metadata import version

from ir_pipeline.engine.work import Settings

# Packages whose version can change a row or the bytes of a shard.
_PACKAGES = (
    *("llvmlite", "pyarrow", "tree-sitter", "tree-sitter-c", "tree-sitter-cpp"),
    *("licenseclassifier", "license-expression"),
)


def tool_versions(settings: Settings) -> dict[str, str | None]:
    """The versions of the compiler, the `opt` and the packages that do the work here."""
    return {
        "clang": settings.toolchain.version,
        "opt": settings.opt.version if settings.opt else None,
        **{name: version(name) for name in _PACKAGES},
    }
