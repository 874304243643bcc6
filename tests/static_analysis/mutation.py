"""Ways to damage a text of IR."""

import re
from collections.abc import Callable
from random import Random

_TOKEN = re.compile(r'[%@!#]?"[^"]*"|[%@!#]?[\w.$-]+|[^\s\w]')
_OTHER = (
    *("", "%0", "%x", "@f", "0", "-1", "0x", "i32", "ptr", "void", "label", "{", "}", "(", ")"),
    *("[", "]", "<", ">", ",", "=", '"', "!0", "#0", "...", "phi", "call", "br", "switch", "x"),
    *("to", "unwind", "null", "splat", "asm", "metadata", "align", "atomic", "addrspace", ";"),
)


def damaged(rng: Random, text: str) -> str:
    """Return a text with one to four faults of random kinds."""
    for _ in range(rng.randint(1, 4)):
        text = rng.choice(_FAULTS)(rng, text)
    return text


def _flip_characters(rng: Random, text: str) -> str:
    characters = list(text)
    for _ in range(rng.randint(1, 5) if characters else 0):
        characters[rng.randrange(len(characters))] = chr(rng.choice((*range(128), 0xE9, 0xDCFF)))
    return "".join(characters)


def _change_lines(rng: Random, text: str) -> str:
    """Drop, repeat or swap lines."""
    lines = text.split("\n")
    first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.choice(("drop", "repeat", "swap"))
    if kind == "drop":
        del lines[first : first + rng.randint(1, 3)]
    elif kind == "repeat":
        lines.insert(second, lines[first])
    else:
        lines[first], lines[second] = lines[second], lines[first]
    return "\n".join(lines)


def _truncate(rng: Random, text: str) -> str:
    return text[: rng.randrange(len(text) + 1)]


def _change_tokens(rng: Random, text: str) -> str:
    """Replace a token by another of the text or by a common one, or take it out."""
    tokens = [*_TOKEN.finditer(text)]
    if not tokens:
        return text
    found = rng.choice(tokens)
    other = rng.choice((rng.choice(tokens)[0], rng.choice(_OTHER)))
    return text[: found.start()] + other + text[found.end() :]


def _cut_out(rng: Random, text: str) -> str:
    start = rng.randrange(len(text) + 1)
    return text[:start] + text[start + rng.randint(1, 40) :]


_FAULTS: tuple[Callable[[Random, str], str], ...] = (
    *(_change_tokens, _change_tokens, _change_tokens, _change_lines, _change_lines),
    *(_flip_characters, _cut_out, _truncate),
)
