"""What is left of a function when all names that its programmers chose are taken away.

Two functions with the same structure are copies of each other up to the names of their variables,
of their types, and of the functions and globals of their own unit, whose functions that they call
are copies of each other too.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping

from static_analysis.words.symbols import symbol_words

# `@read @all </func>`, `%list %node </type>`, a text perhaps without a word, joined by spaces.
_NAME = re.compile(r"(?:[@%][^ \n]+ )+</(?:func|const|type|text)>|</text>")
_DEFINED = re.compile(
    r"^(@(?:\"[^\"\n]*\"|[-\w$.]+)) = (?!external|extern_weak|available_externally|linkonce)",
    re.MULTILINE,
)


class OwnNames:
    """The functions and globals that a unit itself defines, as they are spelt in tokens."""

    def __init__(self, module: str, functions: Collection[str]):
        """Collects them.

        Args:
            module: its text, as LLVM prints it.
            functions: names of the unit's own functions.
        """
        symbols = [*_DEFINED.findall(module), *(f"@{name}" for name in functions)]
        self._words = {_spelt(symbol_words(symbol)) for symbol in symbols}

    def __contains__(self, words: str) -> bool:
        return words in self._words


def stream_text(tokens: list[list[str]]) -> str:
    """A stream as text: an instruction a line, tokens parted by spaces."""
    return "\n".join(" ".join(instruction) for instruction in tokens)


def structure_hashes(streams: Mapping[str, str], own: OwnNames) -> dict[str, str]:
    """Hashes of the structures of a module's functions, as 32 hex digits each.

    A structure is the instruction stream in which each text, each name of a type, and each name of
    a function or global in `own` is a number: the same for the same name, in order of appearance.
    Beside the number of a function stands the hash of that function's own structure, so that two
    functions which only hand on their arguments are no copies unless those they call are.
    Variables and blocks have no names in a stream. Names that the unit only declares stay, because
    they say what is done: `fopen` is not `fclose`. Constants stay.

    Args:
        streams: the functions' instruction streams, by symbol, as `stream_text` gives them.
        own: the names to leave out.
    """
    alone = {name: _structure_hash(stream, own, {}) for name, stream in streams.items()}
    called = {_spelt(symbol_words(f"@{name}")): found for name, found in alone.items()}
    return {name: _structure_hash(stream, own, called) for name, stream in streams.items()}


def _structure_hash(stream: str, own: OwnNames, called: Mapping[str, str]) -> str:
    numbers: dict[str, str] = {}

    def anonymous(found: re.Match[str]) -> str:
        name = found[0]
        words, _, closer = name.rpartition(" ")
        if closer in ("</func>", "</const>") and words not in own:
            return name
        number = numbers.setdefault(name, f"{name[0]}{len(numbers)}")
        own_structure = called.get(words, "") if closer == "</func>" else ""
        return f"{number} {own_structure} {closer}"

    return hashlib.sha256(_NAME.sub(anonymous, stream).encode()).hexdigest()[:32]


def stream_hash(stream: str) -> str:
    """SHA-256 of an instruction stream, as 64 hex digits."""
    return hashlib.sha256(stream.encode()).hexdigest()


def _spelt(words: list[str]) -> str:
    return " ".join(f"@{word}" for word in words)
