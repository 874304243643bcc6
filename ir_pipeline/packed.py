"""Reads what holds many units in one file: collections of programs and tarballs."""

from __future__ import annotations

import gzip
import json
import lzma
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ir_pipeline.errors import one_line
from static_analysis.errors import OscarError

COLLECTIONS = (".jsonl", ".jsonl.gz")
ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
_DAMAGED = (OSError, EOFError, zlib.error, lzma.LZMAError)


@dataclass(frozen=True)
class Record:
    """One program of a collection.

    Attributes:
        name: its `file` field, else the place it stands at.
        code: its text.
        label: its class, where it has one.
    """

    name: str
    code: str
    label: str | None


def stem(name: str) -> str:
    """The name of a collection or tarball without its suffix."""
    suffixes = [end for end in COLLECTIONS + ARCHIVES if name.lower().endswith(end)]
    return name[: -len(max(suffixes, key=len))] if suffixes else name


def read_records(file: Path) -> Iterator[Record]:
    """Yields the programs of a `.jsonl` or `.jsonl.gz` file in order.

    Raises:
        OscarError: it is damaged, or a line is no JSON object with a `code` field.
    """
    opener = gzip.open if file.name.lower().endswith(".gz") else open
    try:
        with opener(file, "rt", encoding="utf-8", errors="replace") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _record(line, f"{file.name}:{number}")
    except _DAMAGED as error:
        raise OscarError(one_line(f"{file}: cannot be read: {error}")) from None


def _record(line: str, place: str) -> Record:
    try:
        record = json.loads(line)
        code = record["code"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise OscarError(f"{place}: not a JSON object with a 'code' field") from None
    label = record.get("label")
    name = str(record.get("file") or place)
    return Record(name, str(code), None if label is None else str(label))


def unpack(archive: Path, folder: Path) -> Path:
    """Unpacks a tarball into a new folder.

    Returns:
        The root its includes are meant for: the one folder that most tarballs hold, else `folder`.

    Raises:
        OscarError: it is damaged, or a member would leave `folder`.
    """
    folder.mkdir(parents=True)
    try:
        with tarfile.open(archive) as tar:
            # The filter refuses absolute names, "..", devices and links that lead outside.
            tar.extractall(folder, filter="data")
    except tarfile.FilterError as error:
        raise OscarError(one_line(f"{archive}: refused, unsafe member: {error}")) from None
    except (tarfile.TarError, *_DAMAGED) as error:
        raise OscarError(one_line(f"{archive}: cannot be unpacked: {error}")) from None
    tops = sorted(folder.iterdir())
    return tops[0] if len(tops) == 1 and tops[0].is_dir() else folder
