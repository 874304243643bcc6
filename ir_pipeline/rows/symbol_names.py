"""From a symbol of the IR to the name its function has in C++ source."""

from __future__ import annotations

from static_analysis.words.demangle import qualified_name

# Operator codes of the Itanium C++ ABI, section 5.1.3.
# fmt: off
_OPERATORS = {
    "nw": "new", "na": "new[]", "dl": "delete", "da": "delete[]", "cl": "()", "ix": "[]",
    "pl": "+", "mi": "-", "ml": "*", "dv": "/", "rm": "%", "pp": "++", "mm": "--", "ng": "-",
    "ps": "+", "ad": "&", "de": "*", "co": "~", "an": "&", "or": "|", "eo": "^", "ls": "<<",
    "rs": ">>", "nt": "!", "aa": "&&", "oo": "||", "eq": "==", "ne": "!=", "lt": "<", "gt": ">",
    "le": "<=", "ge": ">=", "ss": "<=>", "aS": "=", "pL": "+=", "mI": "-=", "mL": "*=",
    "dV": "/=", "rM": "%=", "aN": "&=", "oR": "|=", "eO": "^=", "lS": "<<=", "rS": ">>=",
    "cm": ",", "pm": "->*", "pt": "->",
}
# fmt: on


def source_name(symbol: str) -> str:
    """`ns::Class::method`: the name with its scopes, without template arguments or parameters.

    A symbol that is not mangled is its own name. Anonymous namespaces are left out, as they have
    no name in source either.
    """
    parts = qualified_name(symbol)
    if parts is None:
        return symbol
    named: list[str] = []
    for i, part in enumerate(parts):
        if part == "operator":
            named.append(f"operator{_OPERATORS.get(''.join(parts[i + 1 :]), '')}")
            break
        if not part.startswith("_GLOBAL__N_"):
            named.append(_special(part, named[-1] if named else ""))
    return "::".join(named)


def _special(part: str, scope: str) -> str:
    return {"ctor": scope, "dtor": f"~{scope}"}.get(part, part)
