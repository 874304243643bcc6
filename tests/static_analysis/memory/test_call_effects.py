import pytest

from tests.static_analysis.memory_reads import reads

BEFORE = """@g = global i32 0
@external = external global i32
@fmt = private constant [3 x i8] c"%d\\00"
@counting = private constant [6 x i8] c"%5d%n\\00"
declare void @any(ptr)
declare void @captures_nothing(ptr captures(none))
declare void @knows_address(ptr captures(address))
declare void @reads_argument(ptr readonly captures(none))
declare void @reads() #0
declare void @pure(ptr captures(none)) #1
declare void @own_memory() #2
declare void @arguments(ptr captures(none)) #3
declare void @all_but_arguments(ptr captures(none)) #4
declare void @sets_errno() #5
declare ptr @gives_back(ptr returned captures(none))
declare i32 @printf(ptr, ...)
declare i32 @scanf(ptr, ...)
declare i64 @strlen(ptr)
declare ptr @strcpy(ptr, ptr)
declare ptr @strchr(ptr, i32)
declare i64 @strtol(ptr, ptr, i32)
declare double @sqrt(double)
declare void @free(ptr)
declare void @qsort(ptr, i64, i64, ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare ptr @llvm.launder.invariant.group.p0(ptr)
declare void @llvm.va_start.p0(ptr)
declare void @llvm.unheard.of(ptr)
declare void @llvm.assume(i1)
attributes #0 = { memory(read) }
attributes #1 = { memory(none) }
attributes #2 = { memory(inaccessiblemem: readwrite) }
attributes #3 = { memory(argmem: readwrite) }
attributes #4 = { memory(readwrite, argmem: read) }
attributes #5 = { memory(errnomem: write) }
"""
# A call, and what is read then: of %x, an array here (stored by 1), of @g (by 2), of %p (by 3).
CASES = {
    "call void @any(ptr %x)": ("1 4", "2 3 4", "3 4"),
    "call void @any(ptr null)": ("1", "2 3 4", "3 4"),
    "call void @captures_nothing(ptr %x)": ("1 4", "2 3 4", "3 4"),
    "call void @any(ptr captures(none) readonly %x)": ("1", "2 3 4", "3 4"),
    "call void @any(ptr byval(i32) %x)": ("1", "2 3 4", "3 4"),
    "call void @knows_address(ptr readonly %x)": ("1", "2 3 4", "3 4"),
    "call void @reads_argument(ptr %x)": ("1", "2 3 4", "3 4"),
    "call void @reads()": ("1", "2 3", "3"),
    "call void @any(ptr captures(none) %x) #0": ("1", "2 3", "3"),
    "call void @pure(ptr %x)": ("1", "2 3", "3"),
    "call void @own_memory()": ("1", "2 3", "3"),
    "call void @arguments(ptr %x)": ("1 4", "2 3", "3"),
    "call void @arguments(ptr %p)": ("1", "2 3 4", "3 4"),
    "call void @all_but_arguments(ptr %x)": ("1", "2 3 4", "3 4"),
    "call void @sets_errno()": ("1", "2 3", "3 4"),
    "%c = call i32 (ptr, ...) @printf(ptr @fmt, ptr %x)": ("1", "2 3", "3 4"),
    "%c = call i32 (ptr, ...) @printf(ptr @counting, i32 1, ptr %x)": ("1 4", "2 3", "3 4"),
    "%c = call i32 (ptr, ...) @printf(ptr %p, ptr %x)": ("1 4", "2 3", "3 4"),
    "%c = call i32 (ptr, ...) @scanf(ptr @fmt, ptr %x)": ("1 4", "2 3", "3 4"),
    "%c = call i32 (ptr, ...) @scanf(ptr @fmt, ptr @g)": ("1", "2 3 4", "3 4"),
    "%c = call i64 @strlen(ptr %x)": ("1", "2 3", "3"),
    "%c = call ptr @strcpy(ptr %x, ptr %p)": ("1 4", "2 3", "3"),
    "%c = call ptr @strchr(ptr %x, i32 1)": ("1", "2 3", "3"),
    "%c = call i64 @strtol(ptr %x, ptr null, i32 10)": ("1", "2 3", "3 4"),
    "%c = call i64 @strtol(ptr %p, ptr %x, i32 10)": ("1 4", "2 3", "3 4"),
    "%c = call double @sqrt(double 1.0)": ("1", "2 3", "3 4"),
    "call void @free(ptr %p)": ("1", "2 3", "3"),
    "call void @qsort(ptr %x, i64 2, i64 4, ptr @any)": ("1 4", "2 3 4", "3 4"),
    "call void @llvm.memset.p0.i64(ptr %x, i8 0, i64 4, i1 false)": ("4", "2 3", "3"),
    "call void @llvm.memset.p0.i64(ptr %x, i8 0, i64 2, i1 false)": ("1 4", "2 3", "3"),
    "call void @llvm.memset.p0.i64(ptr %x, i8 0, i64 0, i1 false)": ("1", "2 3", "3"),
    "call void @llvm.memset.p0.i64(ptr %x, i8 0, i64 %i, i1 false)": ("1 4", "2 3", "3"),
    "%c = call ptr @llvm.launder.invariant.group.p0(ptr %x)": ("1", "2 3", "3"),
    "call void @llvm.va_start.p0(ptr %x)": ("1 4", "2 3", "3"),
    "call void @llvm.unheard.of(ptr %x)": ("1 4", "2 3 4", "3 4"),
    'call void @llvm.assume(i1 true) [ "align"(ptr %x, i64 8) ]': ("1", "2 3", "3"),
    'call void @reads() [ "deopt"(ptr %x) ]': ("1", "2 3", "3"),
    'call void @reads() [ "unheard of"(ptr %x) ]': ("1 4", "2 3 4", "3 4"),
    'call void asm sideeffect "", "~{memory}"()': ("1", "2 3 4", "3 4"),
    "call void %p()": ("1", "2 3 4", "3 4"),
}


@pytest.mark.parametrize("call", CASES)
def test_what_a_call_may_write(call):
    body = f"""  %x = alloca [4 x i32]
  store i32 1, ptr %x
  store i32 1, ptr @g
  store i32 1, ptr %p
  {call}
  %v = load i32, ptr %x
  %w = load i32, ptr @g
  %u = load i32, ptr %p
  ret void"""
    assert tuple(reads(body, BEFORE)[-3:]) == CASES[call]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("call ptr @gives_back(ptr %x)", "3"),
        ("call ptr @strcpy(ptr %x, ptr %p)", "3"),
        ("call ptr @strchr(ptr %x, i32 1)", "1 3"),
        ("call ptr @llvm.launder.invariant.group.p0(ptr %x)", "3"),
    ],
)
def test_results_that_point_to_an_argument(call, expected):
    body = f"""  %x = alloca [4 x i32]
  store i32 1, ptr %x
  %y = {call}
  store i32 2, ptr %y
  %v = load i32, ptr %x
  ret void"""
    assert reads(body, BEFORE) == [expected]


def test_functions_with_a_body_or_other_parameters_are_not_the_librarys():
    body = "store i32 1, ptr @g\n %n = call i64 @strlen(ptr %p)\n %v = load i32, ptr @g\n ret void"
    assert reads(body, "@g = global i32 0\ndeclare i64 @strlen(ptr)") == ["0"]
    nobuiltin = "@g = global i32 0\ndeclare i64 @strlen(ptr) #0\nattributes #0 = { nobuiltin }"
    assert reads(body, nobuiltin) == ["0 1"]
    other = "@g = global i32 0\ndefine i64 @strlen(ptr %s) {\n ret i64 0\n}"
    assert reads(body, other) == ["0 1"]
    body = body.replace("ptr %p", "i32 %a")
    assert reads(body, "@g = global i32 0\ndeclare i64 @strlen(i32)") == ["0 1"]


def test_streams_write_the_memory_lent_to_them():
    body = """store i32 1, ptr @g
    %n = call i32 (ptr, ...) @printf(ptr @fmt)
    %v = load i32, ptr @g
    ret void"""
    before = '@g = global i32 0\n@fmt = constant [1 x i8] c"\\00"\ndeclare i32 @printf(ptr, ...)\n'
    assert reads(body, before) == ["0"]
    assert reads(body, before + "declare i32 @setvbuf(ptr, ptr, i32, i64)") == ["0 1"]
