"""From what is asked for to the texts of its views; runs where LLVM is already loaded."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ir_pipeline.errors import LoweringError
from ir_pipeline.limits import Limits
from ir_pipeline.lowering.frontend import Frontend
from ir_pipeline.lowering.llvm import parse, printed
from ir_pipeline.lowering.toolchain import find_toolchain
from ir_pipeline.views.view_maker import ViewMaker


class NotLoweredError(Exception):
    """The program does not compile; says why, in words for counting."""


def view_texts(request: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the views asked for, with their names.

    Args:
        request: ``code`` of a program fragment, or ``modules`` to be linked, as texts; ``views``.

    Raises:
        NotLoweredError: there is no module to make views of.
    """
    try:
        text = _compiled(request["code"]) if "code" in request else _linked(request["modules"])
    except (LoweringError, RuntimeError) as error:
        raise NotLoweredError(getattr(error, "reason", "not linked")) from error
    maker = ViewMaker(text, seed="", own=bool)
    for view in request["views"]:
        yield view, maker.make(view)


def _compiled(code: str) -> str:
    with tempfile.TemporaryDirectory() as scratch:
        frontend = Frontend(find_toolchain(), Limits(), Path(scratch))
        data, _ = frontend.compile_fragment(code)
    return printed(parse(data))


def _linked(modules: list[str]) -> str:
    import llvmlite.binding as llvm

    context = llvm.create_context()
    whole, *others = (llvm.parse_assembly(text, context) for text in modules)
    for other in others:
        whole.link_in(other)
    return printed(whole)
