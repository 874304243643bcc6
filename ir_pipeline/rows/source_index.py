"""Which definition in a source text a function was compiled from."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from functools import cached_property

from ir_pipeline.rows.source_text import FunctionSource, function_sources
from ir_pipeline.sources.conditionals import Branch, blank, branches, only_branches

# What no grammar takes before the name of a function: a macro, as in `int EXPORT f(` or
# `API number f(` (a name in capitals or with two underscores in front is taken for one), and the
# star of an old definition, as in `char *f(n) int n; {`. The bounds keep the time linear in the
# text.
_MACRO = re.compile(rb"\b(?:[A-Z_][A-Z0-9_]{2,}|__\w+)(?=\s+(?:\w+\s+)?\w+\s*\()")
_STAR = re.compile(rb"(?<!/)\*[\s*]{0,40}(?=\b\w+\s*\([\w\s,]*\)\s*\w)")


class SourceIndex:
    """The function definitions of one file, by name.

    A text with `#if` is several programs in one: of two definitions of a name the compiler sees
    one, and of two lines that both open a brace. Where the text as a whole does not tell, it is
    read again with only those branches that the compiler takes.
    """

    def __init__(
        self, code: bytes, language: str, taken: Callable[[], Collection[int]] | None = None
    ):
        """Parses `code`.

        Args:
            code: the file's text.
            language: `c` or `c++`.
            taken: asked, at most once, for the numbers of the branches that the compiler takes;
                None where nobody knows, and all are read.
        """
        self._code, self._language, self._taken = code, language, taken
        self._whole = _Reading(code, code, language)
        self._answers: dict[tuple[str, int | None], FunctionSource | None] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._whole.functions

    def find(self, name: str, parameters: int | None = None) -> FunctionSource | None:
        """The definition of `name`; None when there is none, or overloads leave it open.

        Args:
            name: with its scopes.
            parameters: how many the wanted one has, where that is known: it tells overloads apart.
        """
        key = name, parameters
        if key not in self._answers:
            self._answers[key] = self._find(name, parameters)
        return self._answers[key]

    def _find(self, name: str, parameters: int | None) -> FunctionSource | None:
        found = self._whole.find(name, parameters)
        if len(found) != 1 and self._may_tell_more(name, found):
            found = self._compiled.find(name, parameters)
        return found[0] if len(found) == 1 else None

    def _may_tell_more(self, name: str, found: Sequence[FunctionSource]) -> bool:
        """Whether `name` may have one definition in what the compiler reads."""
        if not found:
            return name.rpartition("::")[2].encode() in self._code
        return len({self._branches_around(function) for function in found}) > 1

    def _branches_around(self, function: FunctionSource) -> tuple[Branch, ...]:
        start = function.start
        return tuple(branch for branch in self._branches if branch.body <= start < branch.stop)

    @cached_property
    def _branches(self) -> list[Branch]:
        return branches(self._code)

    @cached_property
    def _compiled(self) -> _Reading:
        """What the compiler reads, without what no grammar takes."""
        text = self._code
        if self._taken is not None and self._branches:
            text = only_branches(text, self._taken())
        for odd in (_MACRO, _STAR):
            text = odd.sub(lambda found: blank(found[0]), text)
        return _Reading(text, self._code, self._language)


class _Reading:
    """The definitions that a parser finds in one form of a text."""

    def __init__(self, code: bytes, written: bytes, language: str):
        self._code, self._written, self._language = code, written, language
        self.functions = self._by_name(language)

    def find(self, name: str, parameters: int | None) -> list[FunctionSource]:
        """The definitions that `name` may mean."""
        found = self.functions.get(name) or self._untyped.get(name, [])
        if len(found) > 1 and parameters is not None:
            found = [function for function in found if function.parameters in (parameters, None)]
        return found

    @cached_property
    def _untyped(self) -> dict[str, list[FunctionSource]]:
        """Of C, what the grammar of C++ finds: it takes definitions without a return type."""
        return self._by_name("c++") if self._language == "c" else {}

    def _by_name(self, language: str) -> dict[str, list[FunctionSource]]:
        functions: dict[str, list[FunctionSource]] = defaultdict(list)
        for function in function_sources(self._code, language, written=self._written):
            functions[function.name].append(function)
        return functions
