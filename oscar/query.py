"""`FILE` and `FILE:FUNCTION`, the way a person points at code on the command line."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ir_pipeline import Failure, FunctionView, read_functions
from ir_pipeline.rows.symbol_names import source_name
from static_analysis import OscarError


@dataclass(frozen=True)
class Query:
    """A source or IR file and, when one is named, the function meant in it."""

    path: Path
    function: str | None = None

    @classmethod
    def parse(cls, text: str) -> "Query":
        """Read `FILE` or `FILE:FUNCTION`; colons may also be part of either.

        Raises:
            OscarError: no part of `text` before a colon is an existing file.
        """
        if Path(text).is_file():
            return cls(Path(text))
        for cut in (i for i, character in enumerate(text) if character == ":"):
            if Path(text[:cut]).is_file():
                return cls(Path(text[:cut]), text[cut + 1 :] or None)
        raise OscarError(f"there is no file {text!r}: give FILE or FILE:FUNCTION")

    def read(self, view: str = "O0", clang: Path | None = None) -> list[FunctionView]:
        """Lower and analyse the file; the functions asked for, in the file's order.

        Raises:
            OscarError: the file does not lower, or holds no such function.
        """
        rows = list(self._rows(view, clang))
        chosen = [row for row in rows if self.function is None or self._names(row.function)]
        if chosen:
            return chosen
        if not rows:
            raise OscarError(f"{self.path} defines no function")
        names = ", ".join(sorted(source_name(row.function) for row in rows)[:12])
        raise OscarError(f"{self.path} has no function {self.function!r}; it has: {names}")

    def _rows(self, view: str, clang: Path | None) -> Iterator[FunctionView]:
        for row in read_functions([self.path], views=[view], clang=clang):
            if isinstance(row, Failure):
                raise OscarError(f"{self.path} could not be read ({row.stage}): {row.message}")
            yield row

    def _names(self, symbol: str) -> bool:
        return self.function in (symbol, source_name(symbol))
