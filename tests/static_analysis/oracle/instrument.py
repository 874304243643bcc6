"""Puts calls of the runtime into the text of a module.

Every instruction has a number: the numbers of a function's instructions follow each other, those
of the next function come after. Whatever is inserted has no result or a named one, so that the
numbered locals stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ir_pipeline.views.module_text import Definition, definitions
from static_analysis.reading.ir import Function
from static_analysis.reading.reader import read_module
from tests.static_analysis.oracle.calls import Around, NotInstrumentedError, access, hooked_call
from tests.static_analysis.oracle.operands import pointer, split, store_size, type_in_front
from tests.static_analysis.oracle.red_zones import global_hooks, widen_alloca, widen_global

_HOOKS = """
declare i32 @oracle_enter()
declare void @oracle_call(i32)
declare void @oracle_external_call(i32, i32, ...)
declare void @oracle_back(i32)
declare void @oracle_load(i32, ptr, i64)
declare void @oracle_store(i32, ptr, i64)
declare void @oracle_store_if(i32, ptr, i64, i32)
declare void @oracle_fresh(i32, ptr, i64)
declare void @oracle_alive(i32, ptr)
declare void @oracle_by_value(ptr, i64)
declare void @oracle_address(ptr, ptr)
declare void @oracle_global(ptr, i64)
"""
_BY_VALUE = re.compile(
    r'byval\(((?:[^()"]|"[^"]*"|\([^()]*\))*)\)[^,]*?(%(?:"[^"]*"|[-\w$.]+))[,)]'
)
_LOCAL = r'%(?:"[^"]*"|[-\w$.]+)'
_MODIFIERS = "(?:(?:atomic|volatile|weak|inbounds|nuw|nusw) )*"
_UNHANDLED = frozenset({"va_arg", "callbr", "catchpad", "catchswitch", "cleanuppad", "fence"})


def instrument(text: str) -> str:
    """Return a module with hooks.

    Args:
        text: the module in printed form.

    Raises:
        NotInstrumentedError: it does something that would go unseen.
    """
    module = read_module(text)
    defined = {function.name for function in module.functions}
    pieces, position, number = [], 0, 0
    for place, function in zip(definitions(text), module.functions, strict=True):
        pieces.append(_outside(text[position : place.start]))
        pieces.append(_header(text, place))
        pieces += _body(function, number, defined, _by_value(pieces[-1]))
        number += len(function.instructions)
        position = place.stop
    pieces.append(_outside(text[position:]))
    return "".join([*pieces, _HOOKS, global_hooks(text)])


def _outside(text: str) -> str:
    return "\n".join(widen_global(line) for line in text.split("\n"))


def _header(text: str, place: Definition) -> str:
    return text[place.start : text.index("\n", place.start) + 1]


def _by_value(header: str) -> list[str]:
    """Return the hooks for arguments passed by value: the caller has just filled them."""
    return [
        f"call void @oracle_by_value(ptr {name}, i64 {store_size(type_)})"
        for type_, name in _BY_VALUE.findall(header)
    ]


def _body(function: Function, number: int, defined: set[str], by_value: list[str]) -> Iterator[str]:
    entered_by_invoke = {
        label
        for instruction in function.instructions
        if instruction.opcode == "invoke"
        for label in re.findall(f"label ({_LOCAL})", instruction.text)
    }
    for at, block in enumerate(function.blocks):
        yield f"{block.label[1:]}:\n"
        waiting = [*by_value, "%oracle.frame = call i32 @oracle_enter()"] if at == 0 else []
        if block.label in entered_by_invoke:
            waiting.append("call void @oracle_back(i32 %oracle.frame)")
        for index in range(block.start, block.stop):
            instruction = function.instructions[index]
            if instruction.opcode not in ("phi", "landingpad"):
                yield from (f"  {line}\n" for line in waiting)
                waiting = []
            lines = hooked(instruction.opcode, instruction.text, number + index, defined)
            yield from (f"  {line}\n" for line in (*lines.before, lines.text, *lines.after))
    yield "}\n"


def hooked(opcode: str, text: str, number: int, defined: set[str]) -> Around:
    """Return an instruction with its hooks.

    Args:
        opcode: its opcode.
        text: the instruction on one line.
        number: its number in the module.
        defined: symbols of the functions that have hooks themselves.
    """
    if opcode in _UNHANDLED:
        raise NotInstrumentedError(opcode)
    if opcode in ("call", "invoke"):
        return hooked_call(text, number, defined)
    hooks = {
        "load": _load,
        "store": _store,
        "atomicrmw": _atomicrmw,
        "cmpxchg": _cmpxchg,
        "alloca": _alloca,
        "getelementptr": _getelementptr,
    }
    return hooks[opcode](text, number) if opcode in hooks else Around([], text)


def _operands(text: str, opcode: str) -> list[str]:
    """Return what stands behind the opcode and its modifiers, split at commas."""
    found = re.match(rf"(?:{_LOCAL} = )?{opcode} {_MODIFIERS}", text)
    if found is None:
        raise NotInstrumentedError(f"form of {opcode}")
    return split(text[found.end() :])


def _result(text: str) -> str:
    return text.split(" = ", 1)[0]


def _address(operand: str) -> str:
    found = pointer(re.sub(r'(?: syncscope\("[^"]*"\))?(?: [a-z_]+)?$', "", operand))
    return found or pointer(operand) or "null"


def _load(text: str, number: int) -> Around:
    type_, address, *_ = _operands(text, "load")
    return Around([access("load", number, _address(address), store_size(type_))], text)


def _store(text: str, number: int) -> Around:
    value, address, *_ = _operands(text, "store")
    size = store_size(type_in_front(value))
    return Around([], text, [access("store", number, _address(address), size)])


def _atomicrmw(text: str, number: int) -> Around:
    address, value, *_ = _operands(text, "atomicrmw")
    at, size = _address(address[address.index("ptr") :]), store_size(type_in_front(value))
    before, after = (access(hook, number, at, size) for hook in ("load", "store"))
    return Around([before], text, [after])


def _cmpxchg(text: str, number: int) -> Around:
    address, expected, *_ = _operands(text, "cmpxchg")
    at, type_ = _address(address), type_in_front(expected)
    size, stored = store_size(type_), f"%oracle.{number}"
    after = [
        f"{stored}.bit = extractvalue {{ {type_}, i1 }} {_result(text)}, 1",
        f"{stored} = zext i1 {stored}.bit to i32",
        f"call void @oracle_store_if(i32 {number}, ptr {at}, i64 {size}, i32 {stored})",
    ]
    return Around([access("load", number, at, size)], text, after)


def _alloca(text: str, number: int) -> Around:
    before, widened, size = widen_alloca(text, f"%oracle.{number}")
    return Around(before, widened, [access("fresh", number, _result(text), size)])


def _getelementptr(text: str, number: int) -> Around:
    _, base, *indices = _operands(text, "getelementptr")
    if any(operand.startswith("<") for operand in (base, *indices)):
        return Around([], text)
    hook = f"call void @oracle_address(ptr {_address(base)}, ptr {_result(text)})"
    return Around([], text, [hook])
