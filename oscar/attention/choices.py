"""Picks an entry of a table by name and says what there is when the name is unknown."""

from collections.abc import Iterable

from static_analysis.errors import OscarError


def check_choice(kind: str, name: object, known: Iterable[object]) -> None:
    """Accept `name` if it is one of `known`.

    Raises:
        OscarError: `name` is none of them; the message lists those there are.
    """
    names = list(known)
    if name not in names:
        listed = ", ".join(str(entry) for entry in names)
        raise OscarError(f"unknown {kind} {name!r}: choose one of {listed}")
