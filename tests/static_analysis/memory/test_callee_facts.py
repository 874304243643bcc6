import pytest

from static_analysis.memory.callee_facts import Callees
from static_analysis.memory.origins import ANYWHERE, ERRNO, NOTHING
from static_analysis.reading.reader import read_module

DECLARATIONS = """
declare void @any(ptr nocapture)
declare i64 @strlen(ptr)
declare double @sqrt(double)
declare void @reads(ptr) #0
declare noalias ptr @mine(i64)
declare noalias ptr @empty(i64) #1
declare i32 @setjmp(ptr)
declare i32 @twice(ptr) #2
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
attributes #0 = { memory(read) }
attributes #1 = { allockind("alloc,uninitialized") }
attributes #2 = { returns_twice }
attributes #3 = { nobuiltin }
attributes #4 = { nobuiltin builtin }
attributes #5 = { "no-builtins" }
attributes #6 = { memory(none) }
"""


def callee(call):
    module = read_module(f"{DECLARATIONS}\ndefine void @f(ptr %p) {{\n  {call}\n  ret void\n}}\n")
    read = module.functions[0].instructions[0].form.call
    return Callees(module).of(read)


@pytest.mark.parametrize(
    ("call", "writes", "through_arguments"),
    [
        ("call void @any(ptr %p)", ANYWHERE, True),
        ("call void @reads(ptr %p)", NOTHING, False),
        ("call void @any(ptr %p) #0", NOTHING, False),
        ("%r = call i64 @strlen(ptr %p)", NOTHING, True),
        ("%r = call double @sqrt(double 1.0)", ERRNO, True),
        ("%r = call double @sqrt(double 1.0) #6", NOTHING, False),
        ("call void %p()", ANYWHERE, True),
        ("call void %p() #0", NOTHING, False),
        ('call void asm sideeffect "nop", ""()', ANYWHERE, True),
    ],
)
def test_what_may_be_written(call, writes, through_arguments):
    found = callee(call)
    assert (found.writes, found.through_arguments) == (writes, through_arguments)


@pytest.mark.parametrize(
    ("call", "is_known"),
    [
        ("%r = call i64 @strlen(ptr %p)", True),
        ("%r = call i64 @strlen(ptr %p) #3", False),
        ("%r = call i64 @strlen(ptr %p) #4", True),
        ("%r = call i64 @strlen(ptr %p) #5", False),
        ("call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 1, i1 false) #3", True),
        ("call void @any(ptr %p)", False),
        ("call void %p()", False),
    ],
)
def test_which_calls_are_of_known_functions(call, is_known):
    assert (callee(call).known is not None) == is_known


@pytest.mark.parametrize(
    ("call", "is_noalias", "allocates"),
    [
        ("%r = call ptr @mine(i64 8)", True, "made"),
        ("%r = call ptr @empty(i64 8)", True, "fresh"),
        ("%r = call i64 @strlen(ptr %p)", False, "made"),
    ],
)
def test_memory_that_is_given(call, is_noalias, allocates):
    found = callee(call)
    assert (found.is_noalias, found.allocates) == (is_noalias, allocates)


def test_functions_that_return_twice_and_markers():
    assert callee("%r = call i32 @setjmp(ptr %p)").returns_twice
    assert callee("%r = call i32 @twice(ptr %p)").returns_twice
    assert callee("call void @any(ptr %p) #2").returns_twice
    assert not callee("call void @any(ptr %p)").returns_twice
    assert callee("call void @llvm.lifetime.start.p0(ptr %p)").marks == "start"
    assert callee("call void @llvm.lifetime.end.p0(ptr %p)").marks == "end"
    assert callee("call void @any(ptr %p)").parameters == ({"nocapture": ""},)


def test_calls_with_the_same_groups_share_what_is_known():
    calls = "  call void @any(ptr %p)\n  call void @any(ptr null)\n  call void @any(ptr %p) #0\n"
    module = read_module(f"{DECLARATIONS}\ndefine void @f(ptr %p) {{\n{calls}  ret void\n}}\n")
    callees = Callees(module)
    first, second, third = (
        callees.of(instruction.form.call) for instruction in module.functions[0].instructions[:3]
    )
    assert first is second
    assert first is not third
