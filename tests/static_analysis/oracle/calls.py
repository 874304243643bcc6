"""Hooks around calls: of instrumented functions, of intrinsics, of the libraries."""

import re
from dataclasses import dataclass, field

from tests.static_analysis.oracle.operands import callee_and_arguments, pointer

_COPIES = re.compile(r"@(?:llvm\.)?(memcpy|memmove|memset)(?:\.|$)")
# Intrinsics that are given pointers and leave what they point to alone.
_HARMLESS = re.compile(
    r"@llvm\.(?:lifetime\.end|stackrestore|invariant|prefetch|launder|strip|eh\.|ptrmask|"
    r"is\.constant|objectsize|va_end|assume|experimental\.noalias|ssa\.copy|dbg)"
)
_BACK = "call void @oracle_back(i32 %oracle.frame)"


class NotInstrumentedError(Exception):
    """A module does something the oracle does not follow; says what, in words for counting."""


@dataclass
class Around:
    """What stands for one instruction: what comes before it, itself, what comes after."""

    before: list[str]
    text: str
    after: list[str] = field(default_factory=list)


def access(hook: str, number: int, address: str, size: str) -> str:
    """Return a hook that is told of an access, or of an object that begins."""
    return f"call void @oracle_{hook}(i32 {number}, ptr {address}, i64 {size})"


def hooked_call(text: str, number: int, defined: set[str]) -> Around:
    """Return a call or invoke with its hooks.

    Args:
        text: the call.
        number: its number in the module.
        defined: symbols of the functions that have hooks themselves.

    Raises:
        NotInstrumentedError: what it calls does something that would go unseen.
    """
    found = callee_and_arguments(text)
    if found is None:
        raise NotInstrumentedError("inline assembly or a computed callee")
    callee, arguments = found
    copies = _COPIES.match(callee)
    if copies and callee not in defined:
        return _copy(text, number, copies[1], arguments)
    if callee.startswith("@llvm.") and not callee.startswith(("@llvm.va_start", "@llvm.va_copy")):
        return _intrinsic(text, number, callee, arguments)
    return _call(text, number, arguments, callee in defined)


def _call(text: str, number: int, arguments: list[str], instrumented: bool) -> Around:
    before = f"call void @oracle_call(i32 {number})"
    if not instrumented:
        pointers = [f", ptr {value}" for value in map(pointer, arguments) if value]
        listed = f"i32 {number}, i32 {len(pointers)}{''.join(pointers)}"
        before = f"call void (i32, i32, ...) @oracle_external_call({listed})"
    leaves = re.match(r"(?:%\S+ = )?(?:musttail|invoke) ", text)
    return Around([before], text, [] if leaves else [_BACK])


def _intrinsic(text: str, number: int, callee: str, arguments: list[str]) -> Around:
    if callee.startswith("@llvm.lifetime.start"):
        alive = f"call void @oracle_alive(i32 {number}, ptr {pointer(arguments[-1])})"
        return Around([], text, [alive])
    touches_memory = any(re.match(r"(?:<\d+ x )?ptr", argument) for argument in arguments)
    if touches_memory and not _HARMLESS.match(callee):
        raise NotInstrumentedError(".".join(callee.split(".")[:3]))
    return Around([], text)


def _copy(text: str, number: int, kind: str, arguments: list[str]) -> Around:
    to, source, length = arguments[:3]
    before, size = _as_i64(length, f"%oracle.{number}")
    if kind != "memset":
        before.append(access("load", number, pointer(source) or "null", size))
    return Around(before, text, [access("store", number, pointer(to) or "null", size)])


def _as_i64(operand: str, name: str) -> tuple[list[str], str]:
    type_, value = operand.split(" ")[0], operand.split(" ")[-1]
    if type_ == "i64" or not value.startswith("%"):
        return [], value
    return [f"{name} = zext {type_} {value} to i64"], name
