"""Reads Debian source packages: a `.dsc` file with the tarballs that it names."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from ir_pipeline.errors import one_line
from ir_pipeline.sources.packed import ARCHIVES
from static_analysis.errors import OscarError

_CHECKSUMS = re.compile(r"^Checksums-Sha256:\s*\n((?:[ \t]+\S.*\n?)+)", re.MULTILINE)


def upstream_tarball(description: Path) -> Path:
    """The tarball of the upstream source that a `.dsc` file names, checked against its hash.

    Debian's own changes (`debian.tar.*`, `diff.gz`) are left alone: they are mostly packaging.

    Raises:
        OscarError: it is no such file, or a tarball is missing or another one than it names.
    """
    try:
        found = _CHECKSUMS.search(description.read_text(encoding="utf-8", errors="replace"))
    except OSError as error:
        raise OscarError(one_line(f"{description}: cannot be read: {error}")) from None
    lines = [line.split() for line in found[1].splitlines()] if found else []
    sums = {words[2]: words[0] for words in lines if len(words) == 3}
    tarballs = [name for name in sums if name.endswith(ARCHIVES) and ".debian.tar." not in name]
    main = [name for name in tarballs if ".orig.tar." in name] or tarballs
    if not main or "/" in main[0]:
        raise OscarError(f"{description}: names no source tarball: not a Debian source package")
    tarball = description.with_name(main[0])
    if not tarball.is_file():
        raise OscarError(f"{description}: its tarball {main[0]} is not beside it")
    with tarball.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != sums[main[0]]:
            raise OscarError(f"{tarball}: damaged: not the file that {description.name} names")
    return tarball
