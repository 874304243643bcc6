"""The licence of a unit, as an SPDX expression.

What a file says of itself comes before what its project says: an SPDX line, a licence text or
notice in the file, then the licence file nearest to it. Texts are told by `licenseclassifier`, a
library of 693 licences that would rather say nothing than guess.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from ir_pipeline.sources.license_files import LicenseFiles
from ir_pipeline.sources.units import Unit

_SPDX_LINE = re.compile(rb"SPDX-License-Identifier:[ \t]*([^\r\n]+)")
_WORTH_READING = re.compile(rb"licen[sc]e|copying|redistribut|warrant|public domain", re.IGNORECASE)
_COMMENT_END = re.compile(r"\*/.*|-->.*|[\"';].*")
# A notice stands near the top; what is longer than a licence file is none.
_HEAD = 16 * 1024
_MOST_BYTES = 256 * 1024
_ANY_SHARE = 0.0


def license_of(unit: Unit, content: bytes) -> str | None:
    """The SPDX expression for a unit, or None where nothing says one.

    Args:
        unit: what it is of.
        content: its bytes; empty for one that is no text.
    """
    return spdx_license(content) or _of_text(content[:_HEAD]) or _of_files(unit)


def spdx_license(content: bytes) -> str | None:
    """What the first valid SPDX line near the top of a file says, in SPDX's own spelling."""
    for line in _SPDX_LINE.findall(content[: 4 * _HEAD]):
        said = normalised(_COMMENT_END.sub("", line.decode("utf-8", "replace")).strip())
        if said is not None:
            return said
    return None


@lru_cache(maxsize=1024)
def normalised(expression: str) -> str | None:
    """An SPDX expression in its normal form, `GPL-2.0+` as `GPL-2.0-or-later`; None if it is none.

    Identifiers of SPDX's list are known, and `LicenseRef-…`, which anyone may make.
    """
    from license_expression import ExpressionError

    try:
        parsed = _licensing().parse(expression)
    except ExpressionError:
        return None
    unknown = [""] if parsed is None else _licensing().unknown_license_keys(parsed)
    foreign = [key for key in unknown if not key.startswith(("LicenseRef-", "DocumentRef-"))]
    return None if foreign else str(parsed)


@lru_cache(maxsize=1)
def _licensing() -> Any:
    from license_expression import get_spdx_licensing

    return get_spdx_licensing()


def _of_files(unit: Unit) -> str | None:
    """All licences in the nearest licence files: whoever copies the unit has to keep each."""
    found: list[str] = []
    for file in LicenseFiles().of(unit):
        try:
            with file.open("rb") as opened:
                found += _licenses_in(opened.read(_MOST_BYTES))
        except OSError:
            continue
    return _joined(found)


def _of_text(head: bytes) -> str | None:
    return _joined(_licenses_in(head)) if _WORTH_READING.search(head) else None


@lru_cache(maxsize=64)
def _licenses_in(text: bytes) -> list[str]:
    from licenseclassifier import identify_license

    decoded = text.decode("utf-8", "replace")
    return [found.id for found in identify_license(decoded, coverage_threshold=_ANY_SHARE)]


def _joined(licenses: list[str]) -> str | None:
    known = [said for said in map(normalised, dict.fromkeys(licenses)) if said is not None]
    return " AND ".join(known) or None
