"""Gives every stack object and global a red zone behind it, so that overflows show.

A program that leaves an object has no behaviour that an analysis could be held to; the runtime
ends its run there.
"""

import re

from tests.static_analysis.oracle.operands import split, store_size, type_in_front

RED_ZONE = 32  # bytes; as in shadow.h
_ZONE = f"[{RED_ZONE} x i8]"
_GLOBAL = re.compile(r'(@(?:"[^"]*"|[-\w$.]+)) = (.*?)\b(global|constant) (.*)$')
_NOT_OURS = re.compile(r"\b(?:external|extern_weak|available_externally|thread_local|appending)\b")


def widen_global(line: str) -> str:
    """Return a line with the global it defines, if any, made longer."""
    found = _defined_global(line)
    if found is None:
        return line
    name, words, kind, type_, value, rest = found
    wide = f"{{ {type_}, {_ZONE} }} {{ {type_} {value}, {_ZONE} zeroinitializer }}"
    return f"{name} = {words}{kind} {', '.join([wide, *rest])}"


def global_hooks(text: str) -> str:
    """Return a function that tells the runtime of the globals that a module defines."""
    lines = ["", "define void @oracle_globals() {"]
    for line in text.split("\n"):
        found = _defined_global(line)
        if found is not None:
            lines.append(f"  call void @oracle_global(ptr {found[0]}, i64 {store_size(found[3])})")
    return "\n".join([*lines, "  ret void", "}", ""])


def _defined_global(line: str) -> tuple[str, str, str, str, str, list[str]] | None:
    found = _GLOBAL.match(line)
    if found is None or found[1].startswith("@llvm.") or _NOT_OURS.search(found[2]):
        return None
    name, words, kind, rest = found.groups()
    first, *others = split(rest)
    type_ = type_in_front(first)
    return name, words, kind, type_, first[len(type_) :].strip(), others


def widen_alloca(text: str, name: str) -> tuple[list[str], str, str]:
    """Make a stack object longer.

    Args:
        text: the ``alloca``.
        name: for locals that this needs.

    Returns:
        Lines before it, itself, and the size that it had, as an i64.
    """
    front, rest = text.split("alloca ", 1)
    type_, *others = split(rest)
    size = store_size(f"[1 x {type_}]")
    if not others or not re.match(r"i\d+ ", others[0]):
        return [], f"{front}alloca {', '.join([f'{{ {type_}, {_ZONE} }}', *others])}", size
    count_type, count = others[0].split(" ")
    before = [f"{name}.wide = add {count_type} {count}, {RED_ZONE}"]
    wide = f"{front}alloca {', '.join([type_, f'{count_type} {name}.wide', *others[1:]])}"
    if count_type != "i64":
        before.append(f"{name}.count = zext {count_type} {count} to i64")
        count = f"{name}.count"
    before.append(f"{name}.size = mul i64 {count}, {size}")
    return before, wide, f"{name}.size"
