"""What the rest of the program may do that no unit shows: each of these once was a hole."""

import pytest

from tests.static_analysis.memory_reads import reads

STREAM = "@stream = external global i8\n@_ZSt3cin = external global i8\n"
GET = "declare ptr @_ZNSirsERi(ptr, ptr)\n"


def test_a_stream_on_a_buffer_of_the_program_may_write_it():
    before = f"{STREAM}{GET}@buffer = global i32 0\n"
    body = """  store i32 1, ptr @buffer
  %s = load ptr, ptr %p
  %r = call ptr @_ZNSirsERi(ptr {stream}, ptr %q)
  %x = load i32, ptr @buffer
  ret void"""
    assert reads(body.format(stream="%s"), before)[-1] == "0 2"
    # ``q`` is the caller's and may be the buffer itself, but the standard stream's own are not.
    into = "  %k = alloca i32\n" + body.replace("ptr %q", "ptr %k")
    assert reads(into.format(stream="%s"), before)[-1] == "1 3"
    assert reads(into.format(stream="@_ZSt3cin"), before)[-1] == "1"


def test_new_and_delete_may_be_the_programs_own():
    before = "declare ptr @_Znwm(i64)\ndeclare void @_ZdlPv(ptr)\n@count = external global i32\n"
    body = """  store i32 0, ptr @count
  %n = call ptr @_Znwm(i64 4)
  %a = load i32, ptr @count
  call void @_ZdlPv(ptr %n)
  %b = load i32, ptr @count
  ret void"""
    assert reads(body, before) == ["0 1", "0 1 3"]


@pytest.mark.parametrize(("conversion", "found"), [("%p", "2 3 4"), ("%d", "2")])
def test_a_printed_address_may_be_read_back(conversion, found):
    before = f"""@format = private constant [3 x i8] c"{conversion}\\00"
declare i32 @sprintf(ptr, ptr, ...)
declare ptr @elsewhere(ptr)
"""
    body = """  %x = alloca i32
  %text = alloca [32 x i8]
  store i32 1, ptr %x
  %1 = call i32 (ptr, ptr, ...) @sprintf(ptr %text, ptr @format, ptr %x)
  %2 = call ptr @elsewhere(ptr %text)
  %3 = load i32, ptr %x
  ret void"""
    assert reads(body, before) == [found]


def test_a_context_may_be_resumed_twice():
    before = "declare i32 @swapcontext(ptr, ptr)\n"
    body = """  %x = alloca i32
  store i32 0, ptr %x
  %1 = call i32 @swapcontext(ptr %p, ptr %q)
  %2 = load i32, ptr %x
  ret void"""
    assert reads(body, before) == ["unknown"]


@pytest.mark.parametrize(
    ("step", "found"), [("sub nuw i32 %a, 5", "7"), ("add nuw i32 %a, 5", "5")]
)
def test_an_unsigned_difference_lies_below_what_it_is_taken_from(step, found):
    body = f"""  %s = {step}
  %z = zext i32 %s to i64
  %g = getelementptr i32, ptr %p, i64 %z
  %w = zext i32 %a to i64
  %h = getelementptr i32, ptr %p, i64 %w
  store i32 1, ptr %g
  %k = getelementptr i32, ptr %h, i64 -5
  store i32 7, ptr %k
  %r = load i32, ptr %g
  ret void"""
    assert reads(body) == [found]


@pytest.mark.parametrize(
    ("before", "found"),
    [
        ("@a = weak global i32 0\n@b = weak global i32 0\n", "0 1"),
        ('module asm ".set b, a"\n@a = global i32 0\n@b = external global i32\n', "0 1"),
        ("@a = global i32 0\n@b = external global i32\n", "0"),
        ("@a = internal global i32 0\n@b = weak global i32 0\n", "0"),
    ],
)
def test_two_names_may_be_one_variable(before, found):
    body = "  store i32 1, ptr @a\n  store i32 2, ptr @b\n  %x = load i32, ptr @a\n  ret void"
    assert reads(body, before) == [found]
