"""Random valid modules of LLVM IR: every opcode, many types, all ways control can go."""

from dataclasses import dataclass
from random import Random

from tests.static_analysis.random_instructions import MAKERS
from tests.static_analysis.random_values import SIZED, TYPE_TABLE, typed
from tests.static_analysis.random_writer import InstructionWriter

_START = """\
source_filename = "random \\22module\\22"
target datalayout = "e-m:e-p1:32:32-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
"""
_ENTITIES = """\
$group = comdat any
@table = internal unnamed_addr constant [4 x i8] c"a;\\22\\00", align 16
@"quoted \\22 name" = global %struct.node zeroinitializer, comdat($group)
@external = external thread_local(initialexec) global i32, !kind !0
@another_name = alias i8, getelementptr (i8, ptr @table, i64 1)
@resolved = ifunc void (), ptr @resolver
module asm "nop ; \\22quoted\\22"

declare i32 @variadic(ptr noundef, ...) #0
declare ptr @_ZN2ns4listIiE4nodeEv(ptr captures(none))
declare void @"odd \\22name\\22"(float, <2 x double> noundef)
declare i32 @__gxx_personality_v0(...)
declare i32 @__CxxFrameHandler3(...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare i64 @llvm.umax.i64(i64, i64)
declare void @llvm.assume(i1)
declare void @llvm.va_start.p0(ptr)
define internal ptr @resolver() {
  ret ptr null
}
define void @with_address() {
  br label %there
there:
  ret void
}
"""
_TRAILER = """
attributes #0 = { nounwind memory(argmem: read) "key"="value \\22" }
attributes #1 = { noinline }
!0 = !{i32 1, !"text \\22", ptr @table}
!1 = distinct !{!1, !0}
"""
_PERSONALITIES = {
    None: "",
    "landing": " personality ptr @__gxx_personality_v0",
    "funclet": " personality ptr @__CxxFrameHandler3",
}


@dataclass
class Plan:
    """A block to write: how it begins and ends, and where it goes."""

    label: str
    ender: str
    targets: list[str]
    pad: str = ""


def random_module(seed: int, functions: int = 3, blocks: int = 12) -> str:
    """Return a module in a form that LLVM's parser accepts, the same for the same seed."""
    rng = Random(seed)
    bodies = [_function(rng, f"f{number}", rng.randint(1, blocks)) for number in range(functions)]
    return "".join((_START, TYPE_TABLE, _ENTITIES, *bodies, _TRAILER))


def _function(rng: Random, name: str, blocks: int) -> str:
    style = rng.choice((None, "landing", "funclet"))
    writer = InstructionWriter(rng)
    parameters = [(kind, writer.define(kind)) for kind in rng.sample(SIZED, rng.randint(0, 5))]
    returns = rng.choice(("void", *SIZED))
    linkage = rng.choice(("", "internal ", "linkonce_odr dso_local ", "weak "))
    listed = ", ".join(f"{kind} {value}" for kind, value in parameters)
    lines = [f"define {linkage}{returns} @{name}({listed}) #1{_PERSONALITIES[style]} {{"]
    plans = _plan(rng, blocks, style)
    before = {plan.label: [other.label for other in plans if plan.label in other.targets]
              for plan in plans}  # fmt: skip
    edges = [target for plan in plans for target in plan.targets]
    for plan in plans:
        _write_block(writer, plan, before[plan.label], edges.count(plan.label), returns, lines)
    return "\n".join([*lines, "}", ""])


def _plan(rng: Random, blocks: int, style: str | None) -> list[Plan]:
    """Decide on the blocks, their edges, and the pads of those that may throw."""
    labels = [_label(rng, number) for number in range(blocks)]
    enders = ["ret", "unreachable", "br", "br", "cond", "cond", "switch", "indirectbr", "callbr"]
    enders += ["invoke", "invoke"] if style else []
    normal, pads = [], []
    for label in labels:
        ender = rng.choice(enders) if blocks > 1 else rng.choice(("ret", "unreachable"))
        counts = {"ret": 0, "unreachable": 0, "br": 1, "cond": 2, "invoke": 1}
        wanted = counts.get(ender, rng.randint(1, 4))
        targets = [rng.choice(labels[1:]) for _ in range(wanted)]
        if ender == "callbr":
            targets = list(dict.fromkeys(targets))
        normal.append(Plan(label, ender, targets))
        if ender == "invoke":
            made = _pads(rng, style or "", f"pad.{len(pads)}", labels)
            targets.append(made[0].label)
            pads += made
    return normal + pads


def _pads(rng: Random, style: str, name: str, labels: list[str]) -> list[Plan]:
    """Return the blocks that an exception runs through, the first of them to be unwound to."""
    onwards = rng.choice(labels[1:])
    if style == "landing":
        return [rng.choice((Plan(name, "resume", [], style), Plan(name, "br", [onwards], style)))]
    cleanup = Plan(f"{name}.cleanup", "cleanupret", [], "cleanuppad")
    if rng.random() < 0.5:
        return [cleanup]
    handlers = [
        Plan(f"{name}.h{number}", "catchret", [onwards], f"catchpad within %{name}.switch")
        for number in range(rng.randint(1, 3))
    ]
    further = [cleanup] if rng.random() < 0.5 else []
    targets = [plan.label for plan in handlers + further]
    return [Plan(name, "catchswitch", targets, ""), *handlers, *further]


def _label(rng: Random, number: int) -> str:
    return rng.choice(
        (f"b{number}", f'"the block; {number}"', f"x.{number}-$", f'"\\C3\\A4{number}"')
    )


def _write_block(
    writer: InstructionWriter,
    plan: Plan,
    before: list[str],
    edges: int,
    returns: str,
    lines: list[str],
) -> None:
    rng = writer.rng
    lines.append(f"{plan.label}:")
    if len(lines) > 2:
        writer.open_block()
    is_pad = plan.pad or plan.ender == "catchswitch"
    if not is_pad and edges and edges == len(before):
        lines += [writer.phi(before) for _ in range(rng.choice((0, 0, 1, 2)))]
    if plan.pad:
        lines.append(writer.pad(plan.pad, plan.label))
    if plan.ender != "catchswitch":
        for _ in range(rng.randint(0, 8)):
            lines.append(writer.instruction(rng.choice(MAKERS)))
    lines += _ender(writer, plan, returns)


def _ender(writer: InstructionWriter, plan: Plan, returns: str) -> list[str]:
    """Write the terminator."""
    rng = writer.rng
    to = [f"label %{target}" for target in plan.targets]
    result = "ret void" if returns == "void" else f"ret {returns} {writer.operand(returns)}"
    cases = "".join(f"\n    i32 {value}, {target}" for value, target in enumerate(to[1:]))
    text = {
        "ret": result,
        "unreachable": "unreachable",
        "br": f"br {to[0]}" if to else "",
        "cond": f"br i1 {writer.operand('i1')}, {', '.join(to)}",
        "switch": f"switch i32 {writer.operand('i32')}, {(to or [''])[0]} [{cases}\n  ]",
        "indirectbr": f"indirectbr ptr {writer.operand('ptr')}, [{', '.join(to)}]",
        "callbr": f'callbr void asm sideeffect "# $0", "{",".join(["!i"] * len(to[1:]))}"()'
        f"\n          to {(to or [''])[0]} [{', '.join(to[1:])}]",
        "invoke": f'invoke void @"odd \\22name\\22"({typed(rng, "float")}, '
        f"{typed(rng, '<2 x double>')})\n          to {' unwind '.join(to)}",
        "resume": "resume { ptr, i32 } " + writer.operand("{ ptr, i32 }"),
        "catchret": f"catchret from %{plan.label}.pad to {(to or [''])[0]}",
        "cleanupret": f"cleanupret from %{plan.label}.pad unwind to caller",
        "catchswitch": _catchswitch(plan, to),
    }[plan.ender]
    return [f"  {text}{writer.metadata()}"]


def _catchswitch(plan: Plan, to: list[str]) -> str:
    further = bool(to) and to[-1].endswith(".cleanup")
    handlers = ", ".join(to[:-1] if further else to)
    onwards = to[-1] if further else "to caller"
    return f"%{plan.label}.switch = catchswitch within none [{handlers}] unwind {onwards}"
