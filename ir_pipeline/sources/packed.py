"""Reads what holds many units in one file: collections of programs and tarballs."""

from __future__ import annotations

import gzip
import json
import lzma
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from ir_pipeline.errors import one_line
from static_analysis.errors import OscarError

COLLECTIONS = (".jsonl", ".jsonl.gz")
ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
_GIB = 2**30
# Source code packs 4:1 to 20:1. What packs better and is large is there to fill a disk.
_MOST_RATIO = 100
_ANY_RATIO = _GIB
_MOST_UNPACKED = 64 * _GIB
_MOST_LINE = 64 * 2**20
_DAMAGED = (OSError, EOFError, zlib.error, lzma.LZMAError)


@dataclass(frozen=True)
class Record:
    """One program of a collection.

    Attributes:
        name: its `file` field, else the place it stands at.
        code: its text; None where its line has none.
        label: its class, where it has one.
        fault: the place of a line without text, and what is wrong with it.
    """

    name: str
    code: str | None
    label: str | None
    fault: str = ""


def stem(name: str) -> str:
    """The name of a collection or tarball without its suffix."""
    suffixes = [end for end in COLLECTIONS + ARCHIVES if name.lower().endswith(end)]
    return name[: -len(max(suffixes, key=len))] if suffixes else name


def read_records(file: Path) -> Iterator[Record]:
    """Yields the programs of a `.jsonl` or `.jsonl.gz` file in order.

    Raises:
        OscarError: it is damaged, unpacks to far too much, or has a line of more than 64 MiB.
    """
    opener = gzip.open if file.name.lower().endswith(".gz") else open
    total, packed = 0, file.stat().st_size
    try:
        with opener(file, "rb") as lines:
            for number in count(1):
                line = lines.readline(_MOST_LINE + 1)
                if not line:
                    return
                total += len(line)
                place = f"{file.name}:{number}"
                _check_size(place, total, packed)
                if len(line) > _MOST_LINE:
                    raise OscarError(f"{place}: a line of more than {_MOST_LINE // 2**20} MiB")
                # Some editors begin a file with a byte order mark.
                text = line.decode("utf-8-sig" if number == 1 else "utf-8", "replace")
                if text.strip():
                    yield _record(text, place)
    except _DAMAGED as error:
        raise OscarError(one_line(f"{file}: cannot be read: {error}")) from None


def _check_size(place: str | Path, unpacked: int, packed: int) -> None:
    """Stops at files that were made to fill disks.

    Raises:
        OscarError: there is too much in it, or far too much for its size.
    """
    bomb = unpacked > _ANY_RATIO and unpacked > _MOST_RATIO * packed
    if bomb or unpacked > _MOST_UNPACKED:
        raise OscarError(
            f"{place}: refused: unpacks to more than {unpacked // 2**20:,} MiB "
            f"from {packed / 2**20:,.1f} MiB"
        )


def _record(line: str, place: str) -> Record:
    try:
        record = json.loads(line)
        code = record["code"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return Record(place, None, None, f"{place}: not a JSON object with a 'code' field")
    label = record.get("label")
    is_text = isinstance(code, str)
    return Record(
        name=str(record.get("file") or place),
        code=code if is_text else None,
        label=None if label is None else str(label),
        fault="" if is_text else f"{place}: its 'code' is no text",
    )


def unpack(archive: Path, folder: Path) -> Path:
    """Unpacks a tarball into a new folder.

    Returns:
        The root its includes are meant for: the one folder that most tarballs hold, else `folder`.

    Raises:
        OscarError: it is damaged or a bomb, or a member would leave `folder`.
    """
    folder.mkdir(parents=True)
    total, packed = 0, archive.stat().st_size
    try:
        with tarfile.open(archive) as tar:
            for member in tar:
                # A file takes a block of the disk even if it is empty.
                total += max(member.size, 512)
                _check_size(archive, total, packed)
                # The filter refuses absolute names, "..", devices and links that lead outside.
                tar.extract(member, folder, filter="data")
    except tarfile.FilterError as error:
        raise OscarError(one_line(f"{archive}: refused, unsafe member: {error}")) from None
    except (tarfile.TarError, *_DAMAGED) as error:
        raise OscarError(one_line(f"{archive}: cannot be unpacked: {error}")) from None
    tops = sorted(folder.iterdir())
    return tops[0] if len(tops) == 1 and tops[0].is_dir() else folder
