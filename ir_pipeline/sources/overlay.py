"""Shows the compiler the project and its own headers, and nothing else of the disk.

Sources come from strangers: `#include "/etc/passwd"`, or a link to it, would carry a file of this
machine into a corpus or an error message, and `#include "/dev/zero"` never ends. clang can be
given a view of the file system (its VFS overlay) in which only some folders exist.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ir_pipeline.sources.compile_flags import SYSTEM

NOWHERE = Path("/nonexistent")
"""What a path that shall not exist leads to."""


def overlay_flags(
    places: Sequence[Path], instead: Mapping[Path, Path], scratch: Path
) -> tuple[str, ...]:
    """The flags with which clang's front end sees `places` and the system's headers only.

    Args:
        places: folders and files.
        instead: paths in them, each with what it leads to.
        scratch: private folder, for the overlay's file.
    """
    seen = [place for place in (*places, *SYSTEM) if place.exists()]
    entries = [
        *(_entry(path, contents) for path, contents in instead.items()),
        *(_entry(place, place) for place in _outermost(seen)),
    ]
    overlay = {
        "version": 0,
        "case-sensitive": True,
        "fallthrough": False,
        "use-external-names": False,
        "roots": entries,
    }
    file = scratch / "overlay.yaml"
    # JSON is YAML; a name that is not UTF-8 has to stay as it is.
    text = json.dumps(overlay, ensure_ascii=False)
    file.write_text(text, encoding="utf-8", errors="surrogateescape")
    return ("-ivfsoverlay", str(file.absolute()))


def links_out(folder: Path) -> tuple[Path, ...]:
    """The links in and below a folder that lead out of it."""
    top = folder.resolve()
    found = (path for path in _links(top) if not _leads_into(path, top))
    return tuple(sorted(found))


def _leads_into(link: Path, folder: Path) -> bool:
    try:
        return link.resolve().is_relative_to(folder)
    except (OSError, RuntimeError):
        # A circle of links leads nowhere.
        return False


def _entry(place: Path, contents: Path) -> dict[str, str]:
    kind = "directory-remap" if place.is_dir() else "file"
    return {"type": kind, "name": str(place), "external-contents": str(contents)}


def _outermost(places: Sequence[Path]) -> list[Path]:
    """The places that are in no other one, each once."""
    found: list[Path] = []
    # The compiler may see a place under the name that the user knows it by, or under its own.
    names = {name for place in places for name in (place.absolute(), place.resolve())}
    for place in sorted(names):
        if not any(place.is_relative_to(other) for other in found):
            found.append(place)
    return found


def _links(folder: Path) -> Iterator[Path]:
    for place, below, files in os.walk(folder):
        yield from (
            Path(place, name) for name in [*below, *files] if Path(place, name).is_symlink()
        )
