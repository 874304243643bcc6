"""What a module declares outside function bodies: global variables, aliases, prototypes."""

import re

from static_analysis.errors import IRError
from static_analysis.reading.attributes import Attributes, parse_attributes
from static_analysis.reading.brackets import closing, split
from static_analysis.reading.ir import Global, Parameter, Prototype
from static_analysis.reading.keywords import LINKAGES
from static_analysis.reading.lexer import lexemes
from static_analysis.reading.type_table import TypeTable

_GLOBAL = re.compile(
    r'(?P<name>@(?:"[^"]*"|[-\w$.\\]+)) = (?P<words>(?:\S+ )*?)'
    r"(?P<kind>global|constant|alias|ifunc) "
)
_TYPE_BREAK = re.compile(
    r'"[^"]*"|(?P<open>[\[({<])|(?P<close>[\])}>])|(?P<end>,| (?!addrspace|\())'
)
_ADDRESS_SPACE = re.compile(r"\baddrspace\((\d+)\)")
_EXTERNAL = ("external", "extern_weak")


def parse_global(line: str, types: TypeTable) -> Global:
    """Read a global variable, alias or ifunc; its initial value stays text, for it may be large.

    Raises:
        ValueError: the line is none of these.
    """
    head = _GLOBAL.match(line)
    if head is None:
        raise ValueError("neither global, constant, alias nor ifunc")
    words = head["words"].split()
    first = words[0] if words else ""
    space = _ADDRESS_SPACE.search(head["words"])
    rest = line[head.end() :]
    length = _type_length(rest)
    return Global(
        name=head["name"],
        kind=head["kind"],
        type=types.parse(lexemes(rest[:length]))[0],
        linkage=first if first in LINKAGES else "external",
        is_declaration=first in _EXTERNAL,
        thread_local="thread_local" in head["words"],
        externally_initialized="externally_initialized" in words,
        address_space=int(space[1]) if space else 0,
        value=rest[length:].lstrip(" ,"),
    )


def _type_length(text: str) -> int:
    """Return how long the type is that a text starts with."""
    depth = 0
    for found in _TYPE_BREAK.finditer(text):
        if found["end"] and depth == 0:
            return found.start()
        depth += (found["open"] is not None) - (found["close"] is not None)
    return len(text)


def parse_prototype(number: int, header: list[str], types: TypeTable) -> Prototype:
    """Read the lexemes of a ``declare`` or ``define`` line, number ``number`` of its text.

    Raises:
        IRError: it names no function.
    """
    at = next((at for at, lexeme in enumerate(header) if lexeme[0] == "@"), 0)
    if not at:
        raise IRError(f"line {number} declares a function without a name: the text is damaged")
    start = 1
    while header[start][0] == "!":  # attachments of a declaration come first
        start += 1
    linkage = header[start] if header[start] in LINKAGES else "external"
    attributes, start = parse_attributes(header, start + (header[start] in LINKAGES), types)
    result, _ = types.parse(header, start)
    end = closing(header, at + 1)
    listed = split(header[at + 2 : end])
    variadic = bool(listed) and listed[-1] == ["..."]
    parameters = [_parameter(part, types) for part in listed[: len(listed) - variadic]]
    return Prototype(
        name=header[at],
        linkage=linkage,
        type=types.function(result, [parameter.type for parameter in parameters], variadic),
        return_attributes=attributes,
        parameters=parameters,
        groups=tuple([lexeme for lexeme in header[end:] if lexeme[0] == "#"]),
    )


def _parameter(part: list[str], types: TypeTable) -> Parameter:
    kind, at = types.parse(part)
    attributes, at = parse_attributes(part, at, types)
    return Parameter(part[at] if at < len(part) else "", kind, attributes)


def parse_group(line: list[str], types: TypeTable) -> Attributes:
    """Read the lexemes of ``attributes #n = { … }``."""
    return parse_attributes(line, 4, types)[0]
