"""The qualified name inside an Itanium-mangled C++ symbol, read in one linear scan.

Only the names of the scopes and of the entity are wanted, not parameter types or template
arguments, so substitutions never need expanding: the cost is linear in the symbol's length,
where a full demangler can be made to print megabytes for a short symbol. Local names, lambdas and
expressions are read too. Grammar: Itanium C++ ABI, §5.1 "External Names (a.k.a. Mangling)".
"""

import re

_SPECIAL = re.compile(r"T[VTIS]|GV|GR|GTt|T[hv]n?\d+_(?:n?\d+_)?|Tc")
_SPECIAL_WORDS = {"TV": "vtable", "TT": "vtt", "TI": "typeinfo", "TS": "typeinfo", "GV": "guard"}
_STANDARD = dict(
    a="allocator", b="basic_string", s="string", i="istream", o="ostream", d="iostream"
)
_COMPONENT = re.compile(
    r"""
      (?P<length>\d{1,9})                     # a source name of that many characters follows
    | B(?P<tag>\d{1,9})                       # an ABI tag likewise
    | (?P<ctor>C[1-5]) | (?P<dtor>D[0-5])
    | (?P<namespace>St | L | S[\dA-Z]*_ | T[\dA-Z]*_)
    | S(?P<standard>[absiod])
    | (?P<closure>Ul | Ut)
    | (?P<arguments>I | DC)
    | (?P<operator>[a-z][a-zA-Z])
    """,
    re.VERBOSE,
)
_TYPE = re.compile(
    r"""
      B?(?P<length>\d{1,9})
    | (?P<open>L_Z | D[tTC] | Ul | [NIJXLFZ]) | (?P<close>E)
    | S[\dA-Z]*_ | S[tabsiod] | T[\dA-Z]*_ | A\d*_ | Ut\d*_ | f[pL]\w*?_ | D[a-zA-Z]\d*_?
    | .
    """,
    re.VERBOSE | re.DOTALL,
)
_LITERAL = re.compile(r"n?[\da-f]*(?=E)")
_CLOSURE_NUMBER = re.compile(r"\d*_")
_QUALIFIERS = re.compile(r"[rVK]*[RO]?")


def qualified_name(symbol: str) -> list[str] | None:
    """Return the parts of a mangled symbol's qualified name, outermost first.

    Template arguments, parameter types and ABI tags are left out; ``vtable``, ``guard`` and the
    like come first, constructors are ``ctor``, destructors ``dtor``, operators ``operator`` and
    their code of the ABI. None where the symbol is not Itanium-mangled.
    """
    if not symbol.startswith(("_Z", "__Z")):
        return None
    parts: list[str] = []
    at = symbol.index("Z") + 1
    special = _SPECIAL.match(symbol, at)
    if special:
        parts.append(_SPECIAL_WORDS.get(special[0], "thunk"))
        at = special.end()
    local_scopes = 0
    while at < len(symbol):
        if symbol[at] == "Z":
            local_scopes += 1
            at += 1
            continue
        at = _read_name(symbol, at, parts)
        if local_scopes == 0:
            break
        local_scopes -= 1
        at = _past_close(symbol, at)
    return parts


def _read_name(symbol: str, at: int, parts: list[str]) -> int:
    """Append the components of one name, nested or not; return where it ends."""
    nested = symbol[at] == "N"
    if nested:
        found = _QUALIFIERS.match(symbol, at + 1)
        at = found.end() if found else at + 1
    while at < len(symbol):
        unit = _COMPONENT.match(symbol, at)
        if unit is None:
            return at + nested  # past the E of a nested name
        at = _read_component(symbol, unit, parts)
        if not nested and unit.lastgroup != "namespace":
            break
    return at


def _read_component(symbol: str, unit: re.Match[str], parts: list[str]) -> int:
    """Append what one component says; return where it ends."""
    kind, text, end = unit.lastgroup, unit[0], unit.end()
    if kind == "length":
        parts.append(symbol[end : end + int(text)])
        return end + int(text)
    if kind == "tag":
        return end + int(unit["tag"])
    if kind == "arguments":
        return _past_close(symbol, end)
    if kind == "closure":
        parts.append("lambda" if text == "Ul" else "unnamed")
        end = _past_close(symbol, end) if text == "Ul" else end
        number = _CLOSURE_NUMBER.match(symbol, end)
        return number.end() if number else end
    if kind == "standard":
        parts.extend(("std", _STANDARD[unit["standard"]]))
    elif kind == "operator":
        parts.extend(("operator", text))
        return _past_close(symbol, end) - 1 if text == "cv" else end
    elif kind in ("ctor", "dtor"):
        parts.append(kind)
    elif text == "St":
        parts.append("std")
    return end


def _past_close(symbol: str, at: int) -> int:
    """Return where the bracket open at ``at`` has been closed by its E."""
    openers = [""]
    while openers and at < len(symbol):
        unit = _TYPE.match(symbol, at)
        assert unit is not None  # its last alternative matches anything
        at = unit.end()
        if unit["length"]:
            at += int(unit["length"])
        elif unit["open"]:
            openers.append(unit["open"])
            continue  # a literal starts with its type
        elif unit["close"] and openers.pop() == "Ul":
            number = _CLOSURE_NUMBER.match(symbol, at)
            at = number.end() if number else at
        literal = _LITERAL.match(symbol, at) if openers and openers[-1] == "L" else None
        at = literal.end() if literal else at
    return at
