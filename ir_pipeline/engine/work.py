"""What goes into a worker and what comes out of it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ir_pipeline.limits import Limits
from ir_pipeline.lowering.toolchain import Toolchain, check_std, find_toolchain
from ir_pipeline.rows.row import FunctionView
from ir_pipeline.sources.units import Unit
from ir_pipeline.views.external_opt import Opt, find_opt
from ir_pipeline.views.view_names import view_names


@dataclass(frozen=True)
class Settings:
    """What the rows of a unit depend on besides the unit.

    Attributes:
        toolchain: the compiler.
        views: names of the views, `O0` first where it is asked for.
        std: value of `-std`, or None for the defaults.
        limits: what one unit may cost.
        seed: chooses other random views.
        scratch: existing folder for private files.
        opt: makes the views `opt-N`.
        library: whether functions of headers are kept, too.
        left_out: views that are not made because they ended a worker before, each with what
            ended it.
    """

    toolchain: Toolchain
    views: tuple[str, ...]
    std: str | None
    limits: Limits
    seed: int
    scratch: Path
    opt: Opt | None = None
    library: bool = False
    left_out: tuple[tuple[str, str], ...] = ()


def settings_for(
    views: int | str | Sequence[str],
    clang: Path | None,
    std: str | None,
    limits: Limits | None,
    seed: int,
    scratch: Path,
    opt: Path | None = None,
    library: bool = False,
) -> Settings:
    """The settings that a user's options ask for.

    Args:
        views: number or names of the views; see `view_names`.
        clang: path of a clang to use instead of the one in the `ziglang` wheel.
        std: value of `-std`.
        limits: what one unit may cost.
        seed: chooses other random views.
        scratch: existing folder for private files.
        opt: path of an LLVM `opt`.
        library: whether functions of headers are kept, too.

    Raises:
        OscarError: there is no such view, standard or program.
    """
    names, toolchain = view_names(views, with_opt=opt is not None), find_toolchain(clang)
    check_std(toolchain, std)
    found = None if opt is None else find_opt(opt)
    return Settings(toolchain, names, std, limits or Limits(), seed, scratch, found, library)


@dataclass
class UnitResult:
    """The functions of one unit and what happened on the way.

    Attributes:
        rows: one per function and view, in module order, the views of a function together.
        dropped: functions and views left out, by reason.
        repairs: what was changed to make the unit compile.
    """

    rows: list[FunctionView] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    repairs: tuple[str, ...] = ()


def view_note(unit: Unit, settings: Settings) -> Path:
    """The file that names the view being made of a unit, for who finds its worker dead."""
    place = f"{unit.project}\0{unit.name}".encode("utf-8", "backslashreplace")
    return settings.scratch / f"view-{hashlib.sha256(place).hexdigest()[:32]}"
