"""Random types of LLVM IR and random constants of them."""

import struct
from random import Random

INTEGERS = ("i1", "i7", "i8", "i16", "i32", "i64", "i128", "i129")
FLOATS = ("half", "bfloat", "float", "double", "x86_fp80", "fp128", "ppc_fp128")
POINTERS = ("ptr", "ptr addrspace(1)")
INT_VECTORS = ("<4 x i32>", "<2 x i64>", "<3 x i1>", "<vscale x 4 x i32>")
FLOAT_VECTORS = ("<2 x double>", "<4 x float>", "<vscale x 2 x half>")
VECTORS = (*INT_VECTORS, *FLOAT_VECTORS, "<2 x ptr>")
# Each aggregate with its fields; the named ones are defined in ``TYPE_TABLE``.
AGGREGATES = {
    "{ i32, ptr }": ("i32", "ptr"),
    "<{ i8, [2 x i16] }>": ("i8", "[2 x i16]"),
    "[2 x i16]": ("i16", "i16"),
    "[0 x i8]": (),
    "%struct.node": ("i32", "{ i32, ptr }", "float"),
    '%"class.a::B<int, char>"': ("%struct.node", "[2 x i16]"),
    "%0": ("i64", "x86_fp80"),
    "{ i64, { i32, { x86_fp80 } }, [7 x { i8 }] }": (
        "i64",
        "{ i32, { x86_fp80 } }",
        "[7 x { i8 }]",
    ),
}
TYPE_TABLE = """\
%struct.node = type { i32, { i32, ptr }, float }
%"class.a::B<int, char>" = type { %struct.node, [2 x i16] }
%0 = type { i64, x86_fp80 }
%opaque = type opaque
"""
SCALARS = (*INTEGERS, *FLOATS, *POINTERS)
SIZED = (*SCALARS, *VECTORS, *AGGREGATES)
_HEX_FLOATS = {
    "half": ("0xH", 4),
    "bfloat": ("0xR", 4),
    "double": ("0x", 16),
    "x86_fp80": ("0xK", 20),
    "fp128": ("0xL", 32),
    "ppc_fp128": ("0xM", 32),
}
_ADDRESSES = (
    "@table",
    "getelementptr inbounds (i8, ptr @table, i64 4)",
    "inttoptr (i64 16 to ptr)",
    'getelementptr (%struct.node, ptr @"quoted \\22 name", i64 0, i32 1)',
    "@external",
    "dso_local_equivalent @variadic",
    "blockaddress(@with_address, %there)",
)


def constant(rng: Random, kind: str) -> str:
    """Return a constant of a type, without the type."""
    if rng.random() < 0.1:
        return rng.choice(("undef", "poison"))
    if kind in INTEGERS:
        return _integer(rng, int(kind[1:]))
    if kind in FLOATS:
        return _float(rng, kind)
    if kind == "ptr":
        return rng.choice(("null", *_ADDRESSES))
    if kind == "ptr addrspace(1)":
        return rng.choice(("null", "addrspacecast (ptr @table to ptr addrspace(1))"))
    if kind in VECTORS:
        return _vector(rng, kind)
    if kind in AGGREGATES and rng.random() < 0.6:
        return _aggregate(rng, kind)
    return "zeroinitializer"


def typed(rng: Random, kind: str) -> str:
    """Return a constant with its type."""
    return f"{kind} {constant(rng, kind)}"


def _integer(rng: Random, bits: int) -> str:
    if bits == 1:
        return rng.choice(("true", "false"))
    if bits == 64 and rng.random() < 0.1:
        return "ptrtoint (ptr @table to i64)"
    width = rng.randint(1, bits - 1)
    return str(rng.getrandbits(width) * rng.choice((1, -1)))


def _float(rng: Random, kind: str) -> str:
    if kind in ("float", "double") and rng.random() < 0.6:
        return f"{rng.randint(-9, 9) / 4:e}"
    if kind == "float":
        (single,) = struct.unpack(">f", rng.randbytes(4))
        return f"0x{struct.pack('>d', single).hex().upper()}"
    prefix, digits = _HEX_FLOATS[kind]
    bits = rng.getrandbits(4 * digits)
    if kind == "x86_fp80":
        bits |= 1 << 63  # the leading one is written out in this format
    return f"{prefix}{bits:0{digits}X}"


def _vector(rng: Random, kind: str) -> str:
    scalable, count, element = _shape(kind)
    if scalable or rng.random() < 0.4:
        value = constant(rng, element)
        simple = value.split(" ")[0].split("(")[0] not in ("undef", "poison")
        splat = element != "ptr" and simple
        return f"splat ({element} {value})" if splat else "zeroinitializer"
    return "<" + ", ".join(typed(rng, element) for _ in range(count)) + ">"


def _shape(kind: str) -> tuple[bool, int, str]:
    words = kind.strip("<>").split(" ")
    return words[0] == "vscale", int(words[-3]), words[-1]


def element_of(kind: str) -> str:
    """Return the element type of a vector type."""
    return _shape(kind)[2]


def with_element(kind: str, element: str) -> str:
    """Return a vector type with as many elements, of another type."""
    scalable, count, _ = _shape(kind)
    return f"<{'vscale x ' if scalable else ''}{count} x {element}>"


def _aggregate(rng: Random, kind: str) -> str:
    fields = ", ".join(typed(rng, field) for field in AGGREGATES[kind])
    if kind[0] == "[":
        return f"[{fields}]"
    return f"<{{ {fields} }}>" if kind[0] == "<" else f"{{ {fields} }}"
