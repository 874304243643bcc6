"""Running programs shows where loads get their values from; the analysis must agree."""

import random
from pathlib import Path

import pytest

from static_analysis.reading.reader import read_module
from tests.static_analysis.oracle.check import Sources, violations
from tests.static_analysis.oracle.inputs import inputs_for
from tests.static_analysis.oracle.recording import ENTRY, UNINITIALISED, VIEWS, Oracle, Recording
from tests.static_analysis.oracle.reported import reported_sources

EXAMPLES = Path(__file__).parents[2] / "examples"
DRIVERS = Path(__file__).parents[1] / "examples" / "drivers"
TASKS = sorted(path.stem for path in DRIVERS.iterdir())
N_PROGRAMS = 20
NO_THREAD_LOCALS = "not followed: @llvm.threadlocal.address"  # the JIT compiler has none

DECLARATIONS = """
@g = global i32 7
@table = global [4 x i32] zeroinitializer
@format = private constant [3 x i8] c"%d\\00"
declare i32 @scanf(ptr, ...)
declare ptr @malloc(i64)
declare ptr @calloc(i64, i64)
declare void @qsort(ptr, i64, i64, ptr)
declare void @exit(i32)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)

define internal void @set(ptr %p) {
  store i32 5, ptr %p
  ret void
}
define internal i32 @get(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
define internal i32 @get_copy(ptr byval(i32) %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
define internal i32 @compare(ptr %a, ptr %b) {
  %x = load i32, ptr %a
  %y = load i32, ptr %b
  store i32 %x, ptr @g
  %d = sub i32 %x, %y
  ret i32 %d
}
define internal i32 @deeper(i32 %n) {
  store i32 %n, ptr @g
  %done = icmp eq i32 %n, 0
  br i1 %done, label %out, label %in
in:
  %m = sub i32 %n, 1
  %r = call i32 @deeper(i32 %m)
  %v = load i32, ptr @g
  ret i32 %v
out:
  %w = load i32, ptr @g
  ret i32 %w
}
"""

# The body of main, and what its loads (by index in it) are seen to read.
CASES = {
    "store": (
        """
        %x = alloca i32
        store i32 1, ptr %x
        store i32 2, ptr %x
        %v = load i32, ptr %x
        ret i32 %v
        """,
        {3: {(2,)}},
    ),
    "bytes of two stores": (
        """
        %x = alloca i32
        store i32 1, ptr %x
        store i8 2, ptr %x
        %v = load i32, ptr %x
        ret i32 %v
        """,
        {3: {(1,), (2,)}},
    ),
    "uninitialised": (
        "%x = alloca i32\n %v = load i32, ptr %x\n ret i32 0",
        {1: {(UNINITIALISED,)}},
    ),
    "entry": ("%v = load i32, ptr @g\n ret i32 %v", {0: {(ENTRY,)}}),
    "call": (
        """
        %x = alloca i32
        call void @set(ptr %x)
        %v = load i32, ptr %x
        ret i32 %v
        """,
        {2: {(1,)}},
    ),
    "external call": (
        """
        %x = alloca i32
        %n = call i32 (ptr, ...) @scanf(ptr @format, ptr %x)
        %v = load i32, ptr %x
        ret i32 %v
        """,
        {2: {(1,)}},
    ),
    "external call of an instrumented function": (
        """
        store i64 72623859790382856, ptr @table  ; all bytes differ
        store i32 0, ptr @g
        call void @qsort(ptr @table, i64 2, i64 4, ptr @compare)
        %v = load i32, ptr @g
        %w = load i32, ptr @table
        ret i32 %v
        """,
        {3: {(2,)}, 4: {(2,)}},
    ),
    "heap": (
        """
        %p = call ptr @malloc(i64 4)
        %u = load i32, ptr %p
        %q = call ptr @calloc(i64 1, i64 4)
        %v = load i32, ptr %q
        store i32 1, ptr %q
        %w = load i32, ptr %q
        ret i32 0
        """,
        {1: {(UNINITIALISED,)}, 3: {(2,)}, 5: {(4,)}},
    ),
    "memcpy and memset": (
        """
        %x = alloca i64
        store i32 1, ptr @g
        call void @llvm.memset.p0.i64(ptr %x, i8 0, i64 8, i1 false)
        call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr @g, i64 4, i1 false)
        %v = load i64, ptr %x
        ret i32 0
        """,
        {3: {(1,)}, 4: {(2,), (3,)}},
    ),
    "loop": (
        """
        %x = alloca i32
        store i32 3, ptr %x
        br label %head
        head:
        %n = load i32, ptr %x
        %m = sub i32 %n, 1
        store i32 %m, ptr %x
        %more = icmp sgt i32 %m, 0
        br i1 %more, label %head, label %out
        out:
        ret i32 0
        """,
        {3: {(1,), (5,)}},
    ),
    "lifetime": (
        """
        %x = alloca i32
        call void @llvm.lifetime.start.p0(ptr %x)
        store i32 3, ptr %x
        call void @llvm.lifetime.end.p0(ptr %x)
        call void @llvm.lifetime.start.p0(ptr %x)
        %v = load i32, ptr %x
        ret i32 0
        """,
        {5: {(UNINITIALISED,)}},
    ),
    "atomics": (
        """
        store i32 1, ptr @g
        %a = atomicrmw add ptr @g, i32 1 monotonic
        %b = cmpxchg ptr @g, i32 2, i32 3 monotonic monotonic
        %c = cmpxchg ptr @g, i32 2, i32 4 monotonic monotonic
        %v = load atomic i32, ptr @g monotonic, align 4
        ret i32 %v
        """,
        {1: {(0,)}, 2: {(1,)}, 3: {(2,)}, 4: {(2,)}},
    ),
    "variable-length array": (
        """
        %n = add i32 1, 1
        %x = alloca i32, i32 %n
        %p = getelementptr inbounds i32, ptr %x, i32 1
        store i32 1, ptr %p
        %v = load i32, ptr %p
        %w = load i32, ptr %x
        ret i32 0
        """,
        {4: {(3,)}, 5: {(UNINITIALISED,)}},
    ),
    "a store behind an object ends the run": (
        """
        %x = alloca i32
        store i32 1, ptr %x
        %v = load i32, ptr %x
        %p = getelementptr i32, ptr %x, i32 1
        store i32 1, ptr %p
        %w = load i32, ptr %x
        ret i32 0
        """,
        {2: {(1,)}},
    ),
    "an access outside its object ends the run": (
        """
        %x = alloca i32
        %y = alloca [100 x i32]
        %p = getelementptr inbounds i32, ptr %x, i32 60
        %q = getelementptr i32, ptr %p, i32 -60
        %v = load i32, ptr %q
        %w = load i32, ptr %p
        ret i32 0
        """,
        {4: {(UNINITIALISED,)}},
    ),
    "names in quotes": (
        """
        %"a b" = alloca i32
        store i32 1, ptr %"a b"
        %v = load i32, ptr %"a b"
        %n = call i32 (ptr, ...) @scanf(ptr @format, ptr noundef %"a b")
        %w = load i32, ptr %"a b"
        ret i32 %v
        """,
        {2: {(1,)}, 4: {(3,)}},
    ),
    "exit": (
        "%v = load i32, ptr @g\n call void @exit(i32 0)\n %w = load i32, ptr @g\n ret i32 0",
        {0: {(ENTRY,)}},
    ),
    "null pointer": (
        "%v = load i32, ptr @g\n store i32 0, ptr null\n %w = load i32, ptr @g\n ret i32 0",
        {0: {(ENTRY,)}},
    ),
}

# Calls that a main makes, and what the loads of the function it calls are seen to read.
CALLEES = {
    "set before the call": ("store i32 1, ptr @g\n %v = call i32 @get(ptr @g)", "@get", {(ENTRY,)}),
    "by value": ("%v = call i32 @get_copy(ptr byval(i32) @g)", "@get_copy", {(ENTRY,)}),
}


@pytest.fixture(scope="module")
def oracle():
    with Oracle(cxx=False) as process:
        yield process


@pytest.fixture(scope="module")
def cxx_oracle():
    with Oracle() as process:
        yield process


def _record(oracle: Oracle, body: str) -> Recording:
    text = f"{DECLARATIONS}\ndefine i32 @main() {{\n{body}\n}}\n"
    recordings = oracle.record(["1684300900\n"], ("O0",), modules=[text])
    assert isinstance(recordings, dict), recordings
    assert recordings["O0"].skip is None
    return recordings["O0"]


def _assert_agrees(recording: Recording) -> None:
    reported = reported_sources(read_module(recording.ir), recording.loads)
    for name, observed in recording.loads.items():
        assert list(violations(observed, reported[name])) == [], name


@pytest.mark.parametrize(("body", "expected"), CASES.values(), ids=CASES)
def test_origins_of_loads(oracle, body, expected):
    recording = _record(oracle, body)
    assert recording.loads.get("@main", {}) == expected
    _assert_agrees(recording)


@pytest.mark.parametrize(("call", "callee", "expected"), CALLEES.values(), ids=CALLEES)
def test_origins_in_a_callee(oracle, call, callee, expected):
    recording = _record(oracle, f"{call}\n ret i32 0")
    assert recording.loads[callee] == {0: expected}
    _assert_agrees(recording)


def test_a_recursive_call_is_the_origin_of_what_it_writes(oracle):
    recording = _record(oracle, "%v = call i32 @deeper(i32 2)\n ret i32 0")
    assert recording.loads["@deeper"] == {5: {(4,)}, 7: {(0,)}}
    _assert_agrees(recording)


@pytest.mark.parametrize(
    ("case", "load", "wrong", "denied"),
    [
        ("loop", 3, Sources((1,), entry=True, uninitialised=True), (5,)),
        ("call", 2, Sources((), entry=True, uninitialised=True), (1,)),
        ("entry", 0, Sources((), entry=False, uninitialised=True), (ENTRY,)),
        ("uninitialised", 1, Sources((0,), entry=True, uninitialised=False), (UNINITIALISED,)),
    ],
)
def test_a_wrong_set_is_caught(oracle, case, load, wrong, denied):
    recording = _record(oracle, CASES[case][0])
    (found,) = violations(recording.loads["@main"], {load: wrong})
    assert (found.load, found.reported, found.observed) == (load, wrong, denied)


def test_what_reaches_outside_the_process_is_not_run(oracle):
    text = "declare i32 @system(ptr)\ndefine i32 @main() {\n ret i32 0\n}\n"
    recordings = oracle.record([""], ("O0",), modules=[text])
    assert recordings["O0"].skip == "calls system"


def test_a_program_that_does_not_end_is_recorded_up_to_its_limit(oracle):
    recording = _record(oracle, "br label %a\n a:\n %v = load i32, ptr @g\n br label %a")
    assert recording.loads["@main"] == {1: {(ENTRY,)}}
    assert dict(recording.ends) == {"budget": 1}


def test_examples_agree(oracle):
    for task in random.Random(0).sample(TASKS, 2):
        _check_variants(oracle, task, "*.c")


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_all_examples_agree(cxx_oracle, task):
    _check_variants(cxx_oracle, task, "*")


def _check_variants(oracle: Oracle, task: str, pattern: str) -> None:
    from ir_pipeline import lower

    driver = lower(DRIVERS / f"{task}.c")
    for variant in sorted((EXAMPLES / task).glob(pattern)):
        recordings = oracle.record([""], VIEWS, modules=[lower(variant), driver])
        assert isinstance(recordings, dict), recordings
        for recording in recordings.values():
            assert recording.skip in (None, NO_THREAD_LOCALS)
            _assert_agrees(recording)
        assert recordings["O0"].loads or recordings["O0"].skip


THROWING = """
static int last;
static void thrower(int n) { last = n; if (n > 1) throw n; }
int main() {
    int caught = 0;
    for (int n = 0; n < 4; n++) {
        try { thrower(n); } catch (int e) { caught = last; }
    }
    return caught;
}
"""


@pytest.mark.slow
def test_exceptions_are_followed(cxx_oracle):
    recordings = cxx_oracle.record([""], VIEWS, code=THROWING)
    assert isinstance(recordings, dict), recordings
    main = recordings["O0"].loads["@main"]
    ir = recordings["O0"].ir
    assert dict(recordings["O0"].ends) == {"returned": 1}
    assert main, ir
    for recording in recordings.values():
        _assert_agrees(recording)


@pytest.mark.slow
def test_student_programs_agree(cxx_oracle, data):
    import gzip
    import json

    with gzip.open(data / "poj104" / "train.jsonl.gz", "rt", encoding="utf-8") as lines:
        programs = [json.loads(line) for line in lines]
    for program in random.Random(1).sample(programs, N_PROGRAMS):
        inputs = inputs_for(program["file"])
        recordings = cxx_oracle.record(inputs, VIEWS, code=program["code"])
        if isinstance(recordings, dict):
            for recording in recordings.values():
                _assert_agrees(recording)
