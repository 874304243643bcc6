"""Changes a fragment where the compiler says that it is broken, one round of errors at a time.

No rule touches a program that compiles without it: each answers an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ir_pipeline.fragments.changes import Changes
from ir_pipeline.fragments.diagnostics import Diagnostic, Fix
from ir_pipeline.fragments.loop_scopes import keep_after_loop, shadow_in_loop
from ir_pipeline.fragments.outline import outline
from ir_pipeline.fragments.repair import Attempt

_UNDECLARED = re.compile(r"use of undeclared identifier '(\w+)'|unknown type name '(\w+)'")
_OVERLOADED = re.compile(r"reference to overloaded function could not be resolved")
_CLASHES = re.compile(
    r"reference to '(\w+)' is ambiguous|conflicting types for '(\w+)'"
    r"|redefinition of '(\w+)' as different kind of symbol"
    r"|declaration conflicts with target of using declaration already in scope"
    r"|functions that differ only in their return type cannot be overloaded"
    r"|exception specification in declaration does not match previous declaration"
    r"|declaration of '(\w+)' has a different language linkage"
)
_UNTYPED = re.compile(r"a type specifier is required for all declarations")
_EXTRANEOUS = re.compile(r"extraneous closing brace")
_CUT_OFF = re.compile(r"expected '\}'")
# Fixes that leave one way to read the program: punctuation, and int for what returns nothing.
_SAFE_FIXES = (";", ")", "]", "->", ".", "int")

# What other languages, editors and headers call the things that C has other names for.
_SYNONYMS = {
    **dict.fromkeys(("null", "Null", "NIL", "nil", "NUll", "nullptr"), "NULL"),
    **dict.fromkeys(("TRUE", "True", "true"), "1"),
    **dict.fromkeys(("FALSE", "False", "false"), "0"),
    **dict.fromkeys(("bool", "BOOL", "Bool", "boolean"), "int"),
    "__int64": "long long",
    "_int64": "long long",
}
# A C program has none of these: what uses them is C++ that is broken elsewhere.
_ONLY_CXX = {"cin", "cout", "cerr", "endl", "string", "vector", "std", "setprecision", "fixed"}
# Any number does that is large enough for the arrays and loops of a small program.
_CONSTANT = "1000"


def mended(attempt: Attempt, errors: list[Diagnostic]) -> Attempt | None:
    """The attempt with the first mendable kind of `errors` mended; None where there is none.

    Other kinds wait for the next round: they may be echoes of the first.
    """
    step = Changes(attempt, outline(attempt.code))
    rules = _RULES
    for error in errors:
        rules = next(((rule,) for rule in rules if rule(step, error)), rules)
    return step.result()


def _missing_header(step: Changes, error: Diagnostic) -> bool:
    """Leaves out an include of another system: the prelude has all of this one's."""
    if not error.message.endswith("file not found"):
        return False
    start = step.offset(error.line, 1)
    end = step.attempt.code.find(b"\n", start)
    return step.edit(start, end if end >= 0 else len(step.attempt.code), b"", "missing header")


def _undeclared(step: Changes, error: Diagnostic) -> bool:
    match = _UNDECLARED.match(error.message)
    if match is None:
        return False
    name = match[1] or match[2]
    if step.attempt.language == "c" and name in _ONLY_CXX:
        return False
    if name in step.found.declared:
        # Its declaration is broken, or was left with the head of a loop.
        return keep_after_loop(step, name, error)
    if name in _SYNONYMS:
        return step.define(name, _SYNONYMS[name], "other name")
    if name in step.found.called:
        return _declare_function(step, name)
    return bool(match[1]) and step.define(name, _CONSTANT, "undefined constant")


def _declare_function(step: Changes, name: str) -> bool:
    # As C89 has it: a function nobody declares takes what it is given and returns int.
    if step.attempt.language == "c":
        return False
    return step.add(f'extern "C" int {name}(...);', "undeclared function")


def _overloaded(step: Changes, error: Diagnostic) -> bool:
    """A constant with the name of a library function, such as `max`."""
    if not _OVERLOADED.match(error.message):
        return False
    name = step.word(error)
    if not name or name in step.found.called | step.found.declared:
        return False
    return step.define(name, _CONSTANT, "undefined constant")


def _clash(step: Changes, error: Diagnostic) -> bool:
    """A name of the program's own that the library has too."""
    match = _CLASHES.match(error.message)
    if match is None:
        return False
    name = next((text for text in match.groups() if text), None) or step.word(error)
    if name not in step.found.declared:
        return False
    return step.define(name, f"{name}_", "name of the library")


def _fix(step: Changes, error: Diagnostic) -> bool:
    fixes = [fix for fix in error.fixes if fix.text in _SAFE_FIXES]
    if not fixes or len(fixes) < len(error.fixes):
        return False
    for fix in fixes:
        _apply(step, fix)
    return True


def _apply(step: Changes, fix: Fix) -> None:
    before = len(step.attempt.prelude)
    line = fix.line - before
    start, end = step.offset(line, fix.start), step.offset(line, fix.end)
    repair = "void main" if fix.text == "int" else f"missing {fix.text!r}"
    if fix.text in ("->", "."):
        repair = "wrong member operator"
    step.edit(start, end, fix.text.encode(), repair)


def _untyped(step: Changes, error: Diagnostic) -> bool:
    place = step.offset(error.line, error.column)
    if not _UNTYPED.match(error.message):
        return False
    if place not in {node.start_byte for node in step.found.untyped}:
        return False
    return step.edit(place, place, b"int ", "missing return type")


def _braces(step: Changes, error: Diagnostic) -> bool:
    if _EXTRANEOUS.match(error.message):
        place = step.offset(error.line, error.column)
        return step.edit(place, place + 1, b"", "superfluous brace")
    if _CUT_OFF.match(error.message):
        # clang asks once for each brace, always at the end.
        end = len(step.attempt.code)
        step.edits.append((end, end, b"\n}"))
        step.repairs.append("missing brace")
        return True
    return False


_RULES: tuple[Callable[[Changes, Diagnostic], bool], ...]
_RULES = (
    _missing_header,
    _undeclared,
    _overloaded,
    shadow_in_loop,
    _clash,
    _fix,
    _untyped,
    _braces,
)
