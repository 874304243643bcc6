"""Words of symbols: what a programmer meant by a name, as tokens.

A symbol is demangled to its qualified name and cut into lower-case words at case changes,
punctuation and the borders of digits. Tokens are printable ASCII.
"""

import re

from static_analysis.words.demangle import qualified_name
from static_analysis.words.names import unescape

MAX_WORDS = 16
MAX_WORD = 32
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_RENAMED = re.compile(r"(?:\.\d+)+$")
_RUST_HASH = re.compile(r"h[0-9a-f]{16}$")
# Types at the end of an intrinsic's name, as LLVM's getMangledTypeStr writes them.
_OVERLOAD = re.compile(
    r"(?:\.(?:p\d+\w*|[iuf]\d+|bf16|ppcf128|(?:nx)?v\d+\w+|a\d+\w+|sl?_.*|f_\w+"
    r"|isVoid|Token|Metadata))+$"
)
_ANONYMOUS_SCOPE = "_GLOBAL__N_1"
_KINDS = ("struct.", "class.", "union.", "enum.")


def words(name: str) -> list[str]:
    """Cut a plain name into words.

    At most ``MAX_WORDS`` words of ``MAX_WORD`` characters are kept, the last ones, because the
    end of a qualified name says most. Characters outside ASCII become ``uXXXX`` in hexadecimal.
    """
    found = _WORD.findall(name)[-MAX_WORDS:]
    return [_ascii(word[:MAX_WORD].lower()) for word in found]


def _ascii(word: str) -> str:
    return word if word.isascii() else "".join(f"u{ord(letter):x}" for letter in word)


def symbol_words(lexeme: str) -> list[str]:
    """Return the words of a global symbol, given as its lexeme (``@_ZN3foo3barEv``).

    A suffix the compiler added to keep names apart (``.12``) and the types in the name of an
    intrinsic are left out. A symbol without letters gives ``anonymous``.
    """
    name = unescape(lexeme)
    if name.startswith("llvm."):
        name = _OVERLOAD.sub("", name)
    parts = qualified_name(name)
    if parts is None:
        parts = [_RENAMED.sub("", name)]
    kept = (part for part in parts if part != _ANONYMOUS_SCOPE and not _RUST_HASH.match(part))
    return _named(words(" ".join(kept)))


def type_words(lexeme: str) -> list[str]:
    """Return the words of a named type, given as its lexeme; struct, class, … are left out."""
    name = unescape(lexeme)
    if name.startswith(_KINDS):
        name = name.partition(".")[2]
    return _named(words(_RENAMED.sub("", name)))


def _named(found: list[str]) -> list[str]:
    return found if any(not word.isdecimal() for word in found) else ["anonymous"]
