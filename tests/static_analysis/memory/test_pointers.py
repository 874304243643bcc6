import pytest

from tests.static_analysis.memory_reads import reads

DECLARATIONS = """
%struct.s = type { i32, [4 x i32], ptr }
@g = global i32 0
@h = global i32 0
@external = external global i32
@table = constant [2 x i32] [i32 1, i32 2]
declare void @g0()
declare void @see(ptr)
declare ptr @any()
declare noalias ptr @malloc(i64)
declare noalias ptr @calloc(i64, i64)
declare noalias ptr @mine(i64)
"""

# What the last load of a body reads.
CASES = {
    "a call writes what the caller may know": (
        "store i32 1, ptr %p\n call void @g0()\n %v = load i32, ptr %p",
        "0 1",
    ),
    "a certain store hides what was there": (
        "store i32 1, ptr %p\n %v = load i32, ptr %p",
        "0",
    ),
    "arguments may be one": (
        "store i32 1, ptr %q\n %v = load i32, ptr %p",
        "0 entry",
    ),
    "an argument is no object made here": (
        "%x = alloca i32\n call void @see(ptr %x)\n store i32 1, ptr %p\n %v = load i32, ptr %x",
        "1 fresh",
    ),
    "an unknown pointer is no object nobody knows": (
        """%x = alloca [2 x i32]
        store i32 1, ptr %x
        %u = call ptr @any()
        store i32 2, ptr %u
        %v = load i32, ptr %x""",
        "1",
    ),
    "an unknown pointer may be an object others know": (
        """%x = alloca [2 x i32]
        store i32 1, ptr %x
        call void @see(ptr %x)
        %u = call ptr @any()
        store i32 2, ptr %u
        %v = load i32, ptr %x""",
        "1 2 3 4",
    ),
    "an address that is stored is known": (
        """%x = alloca [2 x i32]
        store i32 1, ptr %x
        store ptr %x, ptr %p
        call void @g0()
        %v = load i32, ptr %x""",
        "1 3",
    ),
    "an address that is compared or returned is not known": (
        """%x = alloca [2 x i32]
        store i32 1, ptr %x
        %c = icmp eq ptr %x, %p
        call void @g0()
        %v = load i32, ptr %x""",
        "1",
    ),
    "an address made a number is known": (
        """%x = alloca [2 x i32]
        store i32 1, ptr %x
        %n = ptrtoint ptr %x to i64
        %y = inttoptr i64 %n to ptr
        store i32 2, ptr %y
        %v = load i32, ptr %x""",
        "1 4",
    ),
    "an address in an aggregate is known": (
        """%x = alloca [2 x i32]
        store i32 1, ptr %x
        %n = insertvalue { ptr, i32 } poison, ptr %x, 0
        call void @g0()
        %v = load i32, ptr %x""",
        "1 3",
    ),
    "a pointer loaded again from a register slot is the same": (
        """%s = alloca ptr
        store ptr %p, ptr %s
        %t = load ptr, ptr %s
        store i32 1, ptr %t
        %v = load i32, ptr %p""",
        "3",
    ),
    "an address kept in a register slot is not known": (
        """%s = alloca ptr
        %x = alloca [2 x i32]
        store ptr %x, ptr %s
        call void @g0()
        %t = load ptr, ptr %s
        store i32 1, ptr %t
        call void @g0()
        %v = load i32, ptr %x""",
        "5",
    ),
    "malloc gives memory nobody has written": (
        "%x = call ptr @malloc(i64 8)\n %v = load i32, ptr %x",
        "fresh",
    ),
    "calloc writes what it gives": (
        "%x = call ptr @calloc(i64 1, i64 8)\n %v = load i32, ptr %x",
        "0",
    ),
    "a noalias result is written by its call": (
        "%x = call ptr @mine(i64 8)\n call void @g0()\n %v = load i32, ptr %x",
        "0",
    ),
    "fields are apart": (
        """%x = alloca %struct.s
        %a1 = getelementptr %struct.s, ptr %x, i32 0, i32 1, i64 2
        store i32 1, ptr %x
        store i32 2, ptr %a1
        %v = load i32, ptr %x""",
        "2",
    ),
    "an element at a variable index is anywhere": (
        """%x = alloca [4 x i32]
        store i32 1, ptr %x
        %e = getelementptr [4 x i32], ptr %x, i64 0, i64 %i
        store i32 2, ptr %e
        %v = load i32, ptr %x""",
        "1 3",
    ),
    "an element at the same index is the same": (
        """%x = alloca [4 x i32]
        %e = getelementptr [4 x i32], ptr %x, i64 0, i64 %i
        store i32 2, ptr %e
        %f = getelementptr [4 x i32], ptr %x, i64 0, i64 %i
        %v = load i32, ptr %f""",
        "2",
    ),
    "globals are apart": (
        "store i32 1, ptr @g\n store i32 1, ptr @h\n %v = load i32, ptr @g",
        "0",
    ),
    "an external global may be another name of another": (
        "store i32 1, ptr @external\n store i32 1, ptr %p\n %v = load i32, ptr @external",
        "0 1",
    ),
    "constants never change": (
        "call void @g0()\n store i32 1, ptr %p\n %v = load i32, ptr @table",
        "entry",
    ),
    "a copy is read and written": (
        """%x = alloca [8 x i8]
        call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr %p, i64 8, i1 false)
        %v = load i32, ptr %x""",
        "1",
    ),
    "a select of private objects may write both": (
        """%x = alloca [2 x i32]
        %y = alloca [2 x i32]
        store i32 1, ptr %x
        %s = select i1 %d, ptr %x, ptr %y
        store i32 2, ptr %s
        %v = load i32, ptr %x""",
        "2 4",
    ),
    "a read through a select may read both": (
        """%x = alloca [2 x i32]
        %y = alloca [2 x i32]
        store i32 1, ptr %x
        store i32 2, ptr %y
        %s = select i1 %d, ptr %x, ptr %y
        %v = load i32, ptr %s""",
        "2 3 fresh",
    ),
    "a read through a select of null is one of the other": (
        """%x = alloca [2 x i32]
        store i32 1, ptr %x
        %s = select i1 %d, ptr %x, ptr null
        store i32 2, ptr %s
        call void @g0()
        %v = load i32, ptr %s""",
        "3",
    ),
    "lifetimes make an object fresh": (
        """%x = alloca [2 x i32]
        store i32 1, ptr %x
        call void @llvm.lifetime.start.p0(ptr %x)
        %v = load i32, ptr %x""",
        "fresh",
    ),
    "va_arg may move what is known": (
        """store i32 1, ptr %p
        %x = va_arg ptr %q, i32
        %v = load i32, ptr %p""",
        "0 1",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_a_load_reads(case):
    body, expected = CASES[case]
    before = DECLARATIONS + (
        "declare void @llvm.lifetime.start.p0(ptr)\n"
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
    )
    assert reads(f"{body}\n ret void", before)[-1] == expected


@pytest.mark.parametrize(
    ("parameter", "expected"),
    [
        ("ptr %x", "0 1 2"),
        ("ptr noalias %x", "0"),
        ("ptr byval([2 x i32]) %x", "0"),
        ("ptr noalias sret([2 x i32]) %x", "0"),
        ("ptr sret([2 x i32]) %x", "0 1 2"),
    ],
)
def test_memory_that_only_an_argument_leads_to(parameter, expected):
    body = "store i32 1, ptr %x\n call void @g0()\n store i8 2, ptr %p\n %v = load i32, ptr %x"
    found = reads(f"{body}\n ret void", "declare void @g0()", f"ptr %p, {parameter}")
    assert found == [expected]


def test_an_argument_holds_what_the_caller_left_there():
    for parameter in ("ptr", "ptr noalias", "ptr byval(i32)"):
        assert reads("%v = load i32, ptr %x\n ret void", "", f"{parameter} %x") == ["entry"]


def test_memory_behind_a_noalias_readonly_argument_does_not_change():
    body = "store i32 1, ptr %p\n call void @g0(ptr %x)\n %v = load i32, ptr %x\n ret void"
    parameters = "ptr %p, ptr noalias readonly %x"
    assert reads(body, "declare void @g0(ptr)", parameters) == ["entry"]


def test_atomic_operations_read_and_write():
    body = """  %x = alloca i32
  store i32 1, ptr %x
  %o = atomicrmw add ptr %x, i32 1 seq_cst
  %c = cmpxchg ptr %x, i32 1, i32 2 seq_cst seq_cst
  %v = load i32, ptr %x
  ret void"""
    assert reads(body) == ["1", "2", "2 3"]


def test_copies_of_constant_length_tell_what_they_read():
    body = """  %x = alloca [8 x i8]
  store i32 1, ptr %x
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %x, i64 8, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %x, i64 0, i1 false)
  %v = load i32, ptr %p
  ret void"""
    before = """declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"""
    assert reads(body, before) == ["1 fresh", "2"]
