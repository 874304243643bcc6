import pytest

from tests.static_analysis.memory_reads import reads

# What is stored at %x[first] and then read at %x[second] of a private array of i32.
CASES = {
    "the same": ("%m = add i64 %i, 0", "%i", "%i", "3"),
    "one on": ("%m = add i64 %i, 1", "%i", "%m", "1"),
    "back": ("%m = sub i64 %i, 1", "%m", "%i", "1"),
    "another": ("%m = mul i64 %i, 3", "%i", "%m", "1 3"),
    "a bit that is not set": ("%m = or disjoint i64 %i, 1", "%i", "%m", "1"),
    "a bit that may be set": ("%m = or i64 %i, 1", "%i", "%m", "1 3"),
}


@pytest.mark.parametrize("case", CASES)
def test_indices_of_pointer_width(case):
    computed, first, second, expected = CASES[case]
    body = f"""  %x = alloca [9 x i32]
  store [9 x i32] zeroinitializer, ptr %x
  {computed}
  %s = getelementptr i32, ptr %x, i64 {first}
  store i32 1, ptr %s
  %t = getelementptr i32, ptr %x, i64 {second}
  %v = load i32, ptr %t
  ret void"""
    assert reads(body) == [expected.replace("3", "4")]


@pytest.mark.parametrize(
    ("computed", "expected"),
    [
        ("%b = add nsw i32 %a, 1\n %m = sext i32 %b to i64", "1"),
        ("%b = add i32 %a, 1\n %m = sext i32 %b to i64", "1 6"),  # wraps: b may be a - 2^32 + 1
        ("%b = add nuw i32 %a, 1\n %m = sext i32 %b to i64", "1 6"),
        ("%b = sub nsw i32 %a, 1\n %m = sext i32 %b to i64", "1"),
        ("%b = add nsw i32 %a, 1\n %m = zext i32 %b to i64", "1 6"),
    ],
)
def test_extended_indices(computed, expected):
    body = f"""  %x = alloca [9 x i32]
  store [9 x i32] zeroinitializer, ptr %x
  {computed}
  %n = sext i32 %a to i64
  %s = getelementptr i32, ptr %x, i64 %n
  store i32 1, ptr %s
  %t = getelementptr i32, ptr %x, i64 %m
  %v = load i32, ptr %t
  ret void"""
    assert reads(body) == [expected]


@pytest.mark.parametrize(
    ("added", "expected"),
    [("nuw i32 %a, 1", "1"), ("nuw i32 %a, -1", "1"), ("nsw i32 %a, 1", "1 6")],
)
def test_zero_extended_indices(added, expected):
    body = f"""  %x = alloca [9 x i32]
  store [9 x i32] zeroinitializer, ptr %x
  %b = add {added}
  %m = zext i32 %b to i64
  %n = zext i32 %a to i64
  %s = getelementptr i32, ptr %x, i64 %n
  store i32 1, ptr %s
  %t = getelementptr i32, ptr %x, i64 %m
  %v = load i32, ptr %t
  ret void"""
    assert reads(body) == [expected]


def test_an_index_narrower_than_a_pointer_is_sign_extended():
    body = """  %x = alloca [9 x i32]
  store [9 x i32] zeroinitializer, ptr %x
  %n = sext i32 %a to i64
  %s = getelementptr i32, ptr %x, i64 %n
  store i32 1, ptr %s
  %t = getelementptr i32, ptr %x, i32 %a
  %v = load i32, ptr %t
  ret void"""
    assert reads(body) == ["4"]


@pytest.mark.parametrize(
    ("between", "expected"),
    [("", "6"), ("store i32 %a, ptr %n", "1 6"), ("store i32 5, ptr %n", "1 6")],
)
def test_an_index_kept_in_a_register_slot(between, expected):
    body = f"""  %x = alloca [9 x i32]
  store [9 x i32] zeroinitializer, ptr %x
  %n = alloca i32
  store i32 3, ptr %n
  br i1 %d, label %l, label %m

l:
  store i32 %a, ptr %n
  br label %m

m:
  %n0 = load i32, ptr %n
  %s = getelementptr i32, ptr %x, i32 %n0
  store i32 1, ptr %s
  {between}
  %n1 = load i32, ptr %n
  %t = getelementptr i32, ptr %x, i32 %n1
  %v = load i32, ptr %t
  ret void"""
    (_, _, found) = reads(body)
    assert found == expected.replace("6", "9")


def test_a_constant_kept_in_a_register_slot_is_a_constant_index():
    body = """  %x = alloca [9 x i32]
  %n = alloca i32
  store i32 3, ptr %n
  %n0 = load i32, ptr %n
  %s = getelementptr i32, ptr %x, i32 %n0
  store i32 1, ptr %s
  %t = getelementptr i32, ptr %x, i32 3
  %v = load i32, ptr %t
  ret void"""
    assert reads(body) == ["2", "5"]


def test_undefined_indices_are_like_no_other():
    body = """  %x = alloca [9 x i32]
  %n = alloca i32
  %n0 = load i32, ptr %n
  %s = getelementptr i32, ptr %x, i32 %n0
  store i32 1, ptr %s
  %n1 = load i32, ptr %n
  %t = getelementptr i32, ptr %x, i32 %n1
  %v = load i32, ptr %t
  ret void"""
    assert reads(body) == ["fresh", "fresh", "4 fresh"]


def test_offsets_wrap_at_the_width_of_a_pointer():
    body = """  %s = getelementptr i8, ptr %p, i64 4294967295
  store i8 1, ptr %s
  %t = getelementptr i8, ptr %p, i32 -1
  %v = load i8, ptr %t
  ret void"""
    assert reads(body, 'target datalayout = "e-p:32:32"') == ["1"]
    assert reads(body) == ["entry"]
