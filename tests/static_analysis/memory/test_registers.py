import pytest

from static_analysis.flow.cfg import control_flow
from static_analysis.flow.dominator_tree import DominatorTree
from static_analysis.memory.accesses import Accesses
from static_analysis.memory.registers import find_registers
from static_analysis.reading.reader import read_module

DECLARATIONS = "declare void @g(ptr)\ndeclare void @llvm.lifetime.end.p0(ptr)\n"


def registers_of(body):
    module = read_module(
        f"{DECLARATIONS}\ndefine void @f(i32 %a, ptr %p) {{\n{body}\n ret void\n}}"
    )
    (function,) = module.functions
    return find_registers(function, Accesses(module), DominatorTree(control_flow(function)))


@pytest.mark.parametrize(
    ("use", "is_register"),
    [
        ("%v = load i32, ptr %x", True),
        ("store i32 %a, ptr %x", True),
        ("%v = load volatile i32, ptr %x", True),
        ("%c = icmp eq ptr %x, %p", True),
        ("call void @llvm.lifetime.end.p0(ptr %x)", True),
        ("%v = load float, ptr %x", False),
        ("%v = load i16, ptr %x", False),
        ("store ptr %x, ptr %p", False),
        ("%y = getelementptr i8, ptr %x, i64 0", False),
        ("%y = select i1 true, ptr %x, ptr %p", False),
        ("%y = freeze ptr %x", False),
        ("%v = atomicrmw add ptr %x, i32 1 monotonic", False),
        ("call void @g(ptr %x)", False),
        ('call void @g(ptr %p) [ "deopt"(ptr %x) ]', False),
        ("%n = ptrtoint ptr %x to i64", False),
    ],
)
def test_uses_that_leave_a_slot_a_register(use, is_register):
    assert registers_of(f" %x = alloca i32\n {use}").slots == ({"%x"} if is_register else set())


@pytest.mark.parametrize("kind", ["[2 x i32]", "i32, i32 2", "{}", "<vscale x 2 x i32>"])
def test_slots_that_are_no_registers_to_begin_with(kind):
    found = registers_of(f" %x = alloca {kind}\n %y = alloca i32").slots
    assert found == ({"%x", "%y"} if kind == "[2 x i32]" else {"%y"})


def test_loads_see_the_version_that_the_last_store_made():
    found = registers_of(
        """ %x = alloca i32
        store i32 1, ptr %x
        %v = load i32, ptr %x
        store i32 2, ptr %x
        %w = load i32, ptr %x"""
    )
    assert [found.ssa.writers[found.seen[load]] for load in (2, 4)] == [1, 3]
