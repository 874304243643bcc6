"""Inputs for programs of which nobody says what they read: many read n, then n of something."""

import random

_WORDS = ("a", "bc", "abc", "hello", "x1", "Zz", "2019", "the", "level", "(a+b)*c")


def inputs_for(seed: str) -> list[str]:
    """Return a few standard inputs; the same ones for the same seed."""
    draw = random.Random(seed)
    return [_numbers(draw), _lines(draw), _mixed(draw)]


def _numbers(draw: random.Random) -> str:
    """A small n, many small numbers in lines of n, and zeros, at which many programs stop."""
    n = draw.randint(2, 6)
    rows = [[draw.choice((0, 1, 2, 3, 5, 8, 12, 40, 99)) for _ in range(n)] for _ in range(40)]
    lines = [str(n), *(" ".join(map(str, row)) for row in rows), "0 0 0 0", "-1", "0"]
    return "\n".join(lines) + "\n"


def _lines(draw: random.Random) -> str:
    """A small n and lines of words."""
    lines = [" ".join(draw.choices(_WORDS, k=draw.randint(1, 6))) for _ in range(30)]
    return "\n".join([str(draw.randint(2, 5)), *lines, "#", "0"]) + "\n"


def _mixed(draw: random.Random) -> str:
    """Larger numbers, words and fractions in turn."""
    lines = [str(draw.randint(5, 30))]
    for _ in range(40):
        number, word = draw.randint(-50, 2000), draw.choice(_WORDS)
        lines.append(f"{number} {word} {draw.randint(0, 9)}.{draw.randint(0, 9)} {number % 7}")
    return "\n".join(lines) + "\n"
