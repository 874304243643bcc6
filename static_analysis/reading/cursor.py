"""A place among lexemes that moves on as they are read."""

from collections.abc import Sequence


class Cursor:
    """Reads lexemes one after another.

    Every method that reads raises ValueError where something else stands, and IndexError where
    the lexemes end too early: the text is damaged then.
    """

    def __init__(self, lexemes: Sequence[str]) -> None:
        self._lexemes = [*lexemes, ""]
        self._at = 0

    @property
    def next(self) -> str:
        """Return the lexeme at hand without passing it; an empty one at the end."""
        return self._lexemes[self._at]

    def take(self) -> str:
        """Pass one lexeme."""
        self._at += 1
        return self._lexemes[self._at - 1]

    def accept(self, word: str) -> bool:
        """Pass a word if it is the next one; say whether it was."""
        found = self._lexemes[self._at] == word
        self._at += found
        return found

    def expect(self, *words: str) -> None:
        """Pass words that must stand here."""
        for word in words:
            if not self.accept(word):
                raise ValueError(f"{word} expected, not {self.next}")

    def take_words(self, allowed: frozenset[str]) -> list[str]:
        """Pass all words of a set that stand here."""
        start = self._at
        while self._lexemes[self._at] in allowed:
            self._at += 1
        return self._lexemes[start : self._at]
