"""The qualified name inside an Itanium-mangled C++ symbol, read in one linear scan.

Only the names of the scopes and of the entity are wanted, not parameter types or template
arguments, so substitutions never need expanding: the cost is linear in the symbol's length,
where a full demangler can be made to print megabytes for a short symbol. Local names, lambdas and
expressions are read too. Grammar: Itanium C++ ABI, §5.1 "External Names (a.k.a. Mangling)".
"""

import re

_SPECIAL = re.compile(r"(T[VTIS]|GV|GR|GTt|T[hv]n?\d+_(?:n?\d+_)?|Tc)")
_SPECIAL_WORDS = {"TV": "vtable", "TT": "vtt", "TI": "typeinfo", "TS": "typeinfo", "GV": "guard"}
_STANDARD = {
    "t": "", "a": "allocator", "b": "basic_string", "s": "string",
    "i": "istream", "o": "ostream", "d": "iostream",
}  # fmt: skip
_UNIT = re.compile(
    r"""
      (?P<length>\d+)                       # a source name of that many characters follows
    | (?P<ctor>C[1-5]) | (?P<dtor>D[0-5](?![a-z\d]))
    | (?P<standard>S[tabsiod])
    | (?P<lambda>Ul)
    | (?P<value>L[a-z]n?[\da-f]*E)          # a literal as template argument
    | (?P<skip>S[\dA-Z]*_ | T[\dA-Z]*_ | A\d*_ | B(?=\d) | Ut\d*_ | f[pL]\w*?_ | D[a-z]\d*_?)
    | (?P<open>[NIJXLFZ]) | (?P<close>E(?:\d*_)?)
    | (?P<operator>[a-z][a-zA-Z])
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)


def qualified_name(symbol: str) -> list[str] | None:
    """Return the parts of a mangled symbol's qualified name, outermost first.

    Template arguments, parameter types and ABI tags are left out; ``vtable``, ``guard`` and the
    like come first, constructors are ``ctor``, destructors ``dtor``, operators ``operator`` and
    their code of the ABI. None where the symbol is not Itanium-mangled.
    """
    start = symbol.find("_Z")
    if start < 0 or symbol[:start].strip("_"):
        return None
    parts: list[str] = []
    at = start + 2
    special = _SPECIAL.match(symbol, at)
    if special:
        word = _SPECIAL_WORDS.get(special[0], "thunk")
        parts.append(word)
        at = special.end()
    _scan(symbol, at, parts)
    return parts


def _scan(symbol: str, at: int, parts: list[str]) -> None:
    """Append the names found from ``at`` on, until the entity's name is complete.

    ``openers`` are the brackets open now; a name counts while only name brackets (N, Z) are open.
    After the name inside a Z bracket come parameter types, which its own E ends.
    """
    openers: list[str] = []
    in_types = False
    while at < len(symbol):
        unit = _UNIT.match(symbol, at)
        assert unit is not None  # the last alternative matches anything
        at = unit.end()
        kind = unit.lastgroup
        named = not in_types and all(opener in "NZ" for opener in openers)
        if kind == "length":
            at = _source_name(symbol, at, int(unit["length"]), unit.start(), named, parts)
        elif kind in ("open", "lambda"):
            if kind == "lambda" and named:
                parts.append("lambda")
            openers.append(unit[0][0])
            continue
        elif kind == "close":
            if not openers:
                return
            opener = openers.pop()
            in_types = in_types and opener != "Z"
        elif named:
            _append_unit(kind, unit[0], parts)
        if named and "N" not in openers and kind != "standard" and symbol[at : at + 1] != "I":
            if "Z" not in openers and kind != "other":
                return
            in_types = in_types or ("Z" in openers and kind != "close")


def _source_name(
    symbol: str, at: int, length: int, start: int, named: bool, parts: list[str]
) -> int:
    """Take a source name; return where it ends. An ABI tag (after B) is no part of the name."""
    if named and symbol[start - 1] != "B":
        parts.append(symbol[at : at + length])
    return at + length


def _append_unit(kind: str | None, unit: str, parts: list[str]) -> None:
    if kind in ("ctor", "dtor"):
        parts.append(kind)
    elif kind == "standard":
        parts.extend(filter(None, ("std", _STANDARD[unit[1]])))
    elif kind == "operator":
        parts.extend(("operator", unit))
