"""Random instructions of LLVM IR: one maker per kind, over the values seen so far."""

from tests.static_analysis.random_values import (
    AGGREGATES,
    FLOAT_VECTORS,
    FLOATS,
    INT_VECTORS,
    INTEGERS,
    SCALARS,
    SIZED,
    VECTORS,
    element_of,
    with_element,
)
from tests.static_analysis.random_writer import InstructionWriter

_ARITHMETIC = {
    "add": ("", "nuw", "nsw", "nuw nsw"),
    "sub": ("", "nsw"),
    "mul": ("", "nuw nsw"),
    "shl": ("", "nuw"),
    "udiv": ("", "exact"),
    "sdiv": ("", "exact"),
    "lshr": ("", "exact"),
    "ashr": ("", "exact"),
    "urem": ("",),
    "srem": ("",),
    "and": ("",),
    "or": ("", "disjoint"),
    "xor": ("",),
}
_FAST = ("", "fast", "nnan", "ninf nsz", "reassoc nnan ninf nsz arcp contract afn")
_COMPARES = ("eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle")
_FLOAT_COMPARES = ("oeq", "ogt", "ole", "one", "ord", "ueq", "ult", "une", "uno", "true", "false")
_ORDERINGS = ("monotonic", "acquire", "release", "acq_rel", "seq_cst")
_RMW = ("xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin")
_RMW += ("uinc_wrap", "udec_wrap", "usub_cond", "usub_sat")
_SCOPES = ("", 'syncscope("agent") ')
_CASTS = (
    ("trunc nuw", "i64", "i16"),
    ("zext nneg", "i8", "i128"),
    ("sext", "i1", "i32"),
    ("sext", "<3 x i1>", "<3 x i8>"),
    ("fptrunc", "double", "half"),
    ("fpext fast", "float", "fp128"),
    ("fptoui", "double", "i7"),
    ("fptosi", "x86_fp80", "i64"),
    ("uitofp nneg", "i32", "bfloat"),
    ("sitofp", "i129", "double"),
    ("ptrtoint", "ptr", "i64"),
    ("ptrtoaddr", "ptr", "i64"),
    ("inttoptr", "i64", "ptr"),
    ("bitcast", "i64", "double"),
    ("bitcast", "<4 x i32>", "<2 x i64>"),
    ("addrspacecast", "ptr", "ptr addrspace(1)"),
)
_ATTRIBUTES = ("", "noundef ", "nonnull align 8 dereferenceable(4) ", "captures(none) ", '"odd;" ')


def _binary(w: InstructionWriter) -> tuple[str, str]:
    kind = w.rng.choice((*INTEGERS, *INT_VECTORS))
    name = w.rng.choice(list(_ARITHMETIC))
    flags = w.rng.choice(_ARITHMETIC[name])
    return _words(name, flags, w.typed(kind)) + f", {w.operand(kind)}", kind


def _float_binary(w: InstructionWriter) -> tuple[str, str]:
    kind = w.rng.choice((*FLOATS, *FLOAT_VECTORS))
    name = w.rng.choice(("fadd", "fsub", "fmul", "fdiv", "frem"))
    return _words(name, w.rng.choice(_FAST), w.typed(kind)) + f", {w.operand(kind)}", kind


def _fneg(w: InstructionWriter) -> tuple[str, str]:
    kind = w.rng.choice((*FLOATS, *FLOAT_VECTORS))
    return _words("fneg", w.rng.choice(_FAST), w.typed(kind)), kind


def _icmp(w: InstructionWriter) -> tuple[str, str]:
    kind = w.rng.choice((*INTEGERS, *INT_VECTORS, "ptr"))
    head = _words("icmp", w.rng.choice(("", "samesign")), w.rng.choice(_COMPARES))
    result = with_element(kind, "i1") if kind in VECTORS else "i1"
    return f"{head} {w.typed(kind)}, {w.operand(kind)}", result


def _fcmp(w: InstructionWriter) -> tuple[str, str]:
    kind = w.rng.choice((*FLOATS, *FLOAT_VECTORS))
    head = _words("fcmp", w.rng.choice(_FAST), w.rng.choice(_FLOAT_COMPARES))
    result = with_element(kind, "i1") if kind in VECTORS else "i1"
    return f"{head} {w.typed(kind)}, {w.operand(kind)}", result


def _cast(w: InstructionWriter) -> tuple[str, str]:
    name, source, target = w.rng.choice(_CASTS)
    return f"{name} {w.typed(source)} to {target}", target


def _select(w: InstructionWriter) -> tuple[str, str]:
    kind = w.rng.choice(SIZED)
    return f"select {w.typed('i1')}, {w.typed(kind)}, {w.typed(kind)}", kind


def _freeze(w: InstructionWriter) -> tuple[str, str]:
    kind = w.rng.choice(SIZED)
    return f"freeze {w.typed(kind)}", kind


def _extract_element(w: InstructionWriter) -> tuple[str, str]:
    kind = w.rng.choice(VECTORS)
    return f"extractelement {w.typed(kind)}, {w.typed('i32')}", element_of(kind)


def _insert_element(w: InstructionWriter) -> tuple[str, str]:
    kind = w.rng.choice(VECTORS)
    return f"insertelement {w.typed(kind)}, {w.typed(element_of(kind))}, i64 0", kind


def _shuffle(w: InstructionWriter) -> tuple[str, str]:
    mask = w.rng.choice(("<i32 0, i32 5, i32 poison, i32 1>", "zeroinitializer", "poison"))
    vectors = f"{w.typed('<4 x i32>')}, {w.typed('<4 x i32>')}"
    return f"shufflevector {vectors}, <4 x i32> {mask}", "<4 x i32>"


def _extract_value(w: InstructionWriter) -> tuple[str, str]:
    kind = w.rng.choice([kind for kind, fields in AGGREGATES.items() if fields])
    at = w.rng.randrange(len(AGGREGATES[kind]))
    return f"extractvalue {w.typed(kind)}, {at}", AGGREGATES[kind][at]


def _insert_value(w: InstructionWriter) -> tuple[str, str]:
    kind = w.rng.choice([kind for kind, fields in AGGREGATES.items() if fields])
    at = w.rng.randrange(len(AGGREGATES[kind]))
    return f"insertvalue {w.typed(kind)}, {w.typed(AGGREGATES[kind][at])}, {at}", kind


def _alloca(w: InstructionWriter) -> tuple[str, str]:
    count = w.rng.choice(("", "", ", i32 4", f", {w.typed('i64')}"))
    return f"alloca {w.rng.choice(SIZED)}{count}{_align(w)}", "ptr"


def _load(w: InstructionWriter) -> tuple[str, str]:
    if w.rng.random() < 0.2:
        order = w.rng.choice(("unordered", "monotonic", "acquire", "seq_cst"))
        scope = w.rng.choice(_SCOPES)
        return f"load atomic i32, {w.typed('ptr')} {scope}{order}, align 4", "i32"
    kind = w.rng.choice(SIZED)
    head = _words("load", w.rng.choice(("", "", "volatile")), kind)
    return f"{head}, {w.typed('ptr')}{_align(w)}", kind


def _store(w: InstructionWriter) -> tuple[str, str]:
    if w.rng.random() < 0.2:
        order = w.rng.choice(("unordered", "monotonic", "release", "seq_cst"))
        return f"store atomic volatile {w.typed('i64')}, {w.typed('ptr')} {order}, align 8", "void"
    value = w.typed(w.rng.choice(SIZED))
    address = w.typed(w.rng.choice(("ptr", "ptr", "ptr addrspace(1)")))
    return f"store {value}, {address}{_align(w)}", "void"


def _fence(w: InstructionWriter) -> tuple[str, str]:
    return f"fence {w.rng.choice(_SCOPES)}{w.rng.choice(_ORDERINGS[1:])}", "void"


def _cmpxchg(w: InstructionWriter) -> tuple[str, str]:
    head = _words("cmpxchg", w.rng.choice(("", "weak")), w.rng.choice(("", "volatile")))
    values = f"{w.typed('ptr')}, {w.typed('i32')}, {w.typed('i32')}"
    scope, order = w.rng.choice(_SCOPES), w.rng.choice(_ORDERINGS)
    return f"{head} {values} {scope}{order} monotonic, align 4", "{ i32, i1 }"


def _atomicrmw(w: InstructionWriter) -> tuple[str, str]:
    name, kind = w.rng.choice([(name, "i32") for name in _RMW] + [("fadd", "double")])
    head = f"atomicrmw {w.rng.choice(('', 'volatile '))}{name}"
    return f"{head} {w.typed('ptr')}, {w.typed(kind)} {w.rng.choice(_ORDERINGS)}, align 8", kind


def _address(w: InstructionWriter) -> tuple[str, str]:
    kind = w.rng.choice(("%struct.node", "{ i32, ptr }", "[2 x i16]", "i8", "<4 x i32>"))
    flags = w.rng.choice(("", "inbounds", "nuw", "nusw nuw", "inbounds nuw"))
    second = ", i32 0" if kind != "i8" and w.rng.random() < 0.5 else ""
    head = _words("getelementptr", flags, kind)
    return f"{head}, {w.typed('ptr')}, {w.typed('i64')}{second}", "ptr"


def _vector_address(w: InstructionWriter) -> tuple[str, str]:
    return f"getelementptr i32, {w.typed('<2 x ptr>')}, {w.typed('<2 x i64>')}", "<2 x ptr>"


def _call(w: InstructionWriter) -> tuple[str, str]:
    attribute = w.rng.choice(_ATTRIBUTES)
    kind, callee, arguments = w.rng.choice(
        (
            ("ptr", "@_ZN2ns4listIiE4nodeEv", f"ptr {attribute}{w.operand('ptr')}"),
            ("void", '@"odd \\22name\\22"', f"{w.typed('float')}, {w.typed('<2 x double>')}"),
            ("i64", "@llvm.umax.i64", f"{w.typed('i64')}, i64 noundef {w.operand('i64')}"),
            ("{ i32, i1 }", "@llvm.sadd.with.overflow.i32", f"{w.typed('i32')}, {w.typed('i32')}"),
            ("void", "@llvm.va_start.p0", w.typed("ptr")),
            ("void", "@resolved", ""),
        )
    )
    mark = "" if callee.startswith("@llvm") else w.rng.choice(("", "tail ", "notail "))
    groups = w.rng.choice(("", " #0", " nounwind", ' "key"="value"'))
    return f"{mark}call {kind} {callee}({arguments}){groups}", kind


def _copy(w: InstructionWriter) -> tuple[str, str]:
    length = w.rng.choice(("i64 0", "i64 16", w.typed("i64")))
    arguments = f"ptr align 8 {w.operand('ptr')}, {w.typed('ptr')}, {length}, i1 false"
    return f"call void @llvm.memcpy.p0.p0.i64({arguments})", "void"


def _assume(w: InstructionWriter) -> tuple[str, str]:
    bundle = f'[ "align"({w.typed("ptr")}, i64 8), "nonnull"({w.typed("ptr")}) ]'
    return f"call void @llvm.assume(i1 true) {bundle}", "void"


def _indirect_call(w: InstructionWriter) -> tuple[str, str]:
    kind = w.rng.choice(SIZED)
    arguments = ", ".join(w.typed(w.rng.choice(SIZED)) for _ in range(w.rng.randint(0, 3)))
    convention = w.rng.choice(("", "fastcc ", "cc 99 "))
    return f"call {convention}{kind} {w.operand('ptr')}({arguments})", kind


def _variadic_call(w: InstructionWriter) -> tuple[str, str]:
    record = f"ptr byval(%struct.node) align 8 {w.operand('ptr')}"
    return f"call i32 (ptr, ...) @variadic({w.typed('ptr')}, {record}, {w.typed('i64')})", "i32"


def _assembly(w: InstructionWriter) -> tuple[str, str]:
    words = "sideeffect alignstack inteldialect"
    text = r'"mov $0, %=; \22\0A$$1 ;)", "=r,r,~{memory}"'
    return f"call i32 asm {words} {text}({w.typed('i32')})", "i32"


def _va_arg(w: InstructionWriter) -> tuple[str, str]:
    kind = w.rng.choice(SCALARS)
    return f"va_arg {w.typed('ptr')}, {kind}", kind


def _words(*words: str) -> str:
    return " ".join(word for word in words if word)


def _align(w: InstructionWriter) -> str:
    return w.rng.choice(("", ", align 1", ", align 16"))


MAKERS = (
    *(_binary, _float_binary, _fneg, _icmp, _fcmp, _cast, _select, _freeze),
    *(_extract_element, _insert_element, _shuffle, _extract_value, _insert_value),
    *(_alloca, _load, _load, _store, _store, _fence, _cmpxchg, _atomicrmw),
    *(_address, _address, _vector_address, _va_arg),
    *(_call, _call, _copy, _assume, _indirect_call, _variadic_call, _assembly),
)
