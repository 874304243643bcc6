import pytest
from hypothesis import given
from hypothesis import strategies as st

from static_analysis.origins import ARGUMENT, LOCAL, UNKNOWN, Origin
from static_analysis.reaching import ALL, BEYOND_INDEX, MAX_STORES, NONE, SOME, WITHIN, overlap
from tests.static_analysis.reading import reads

_SCALES = st.sampled_from([1, 4, 6, 8, 24])
_TERMS = st.lists(st.tuples(st.sampled_from("ij"), _SCALES), max_size=2).map(tuple)
_LOCATIONS = st.tuples(st.integers(-30, 30), _TERMS, st.integers(1, 9))


@given(read=_LOCATIONS, written=_LOCATIONS, crossed=st.sampled_from([WITHIN, BEYOND_INDEX]))
def test_overlaps_hold_for_all_values_of_the_indices(read, written, crossed):
    origin = Origin(LOCAL, 0, is_object=True)
    (offset, terms, size), (at, steps, length) = read, written
    found = overlap((origin, offset, terms, 0, size), (origin, at, steps, 0, length), crossed)
    later = range(-2, 3) if crossed else [None]  # other values the indices had before
    for i in range(-2, 3):
        for j in range(-2, 3):
            for other in later:
                here = offset + sum({"i": i, "j": j}[name] * scale for name, scale in terms)
                values = {"i": i, "j": j} if other is None else {"i": other, "j": -other}
                there = at + sum(values[name] * scale for name, scale in steps)
                meets = there < here + size and here < there + length
                covers = there <= here and here + size <= there + length
                assert found != NONE or not meets
                assert found != ALL or covers


@pytest.mark.parametrize(
    ("read", "written", "expected"),
    [
        ((0, (), 4), (0, (), 4), ALL),
        ((0, (), 4), (0, (), 8), ALL),
        ((0, (), 8), (4, (), 4), SOME),
        ((0, (), 4), (4, (), 4), NONE),
        ((0, (("i", 8),), 4), (4, (("i", 8),), 4), NONE),
        ((0, (("i", 8),), 4), (4, (("j", 8),), 4), NONE),  # other fields of an array's structs
        ((0, (("i", 8),), 4), (0, (("j", 8),), 4), SOME),
        ((0, (("i", 8),), 4), (8, (), 4), SOME),
        ((0, (("i", 8),), 4), (0, (), None), SOME),
    ],
)
def test_overlap_within_one_origin(read, written, expected):
    origin = Origin(UNKNOWN, 0)
    (offset, terms, size), (at, steps, length) = read, written
    found = overlap((origin, offset, terms, 0, size), (origin, at, steps, 0, length), WITHIN)
    assert found == expected


def test_what_does_not_fit_into_an_object_is_elsewhere():
    small = Origin(4, 0, is_object=True, size=4)
    pointer = Origin(ARGUMENT, 0)
    assert overlap((small, 0, (), 0, 4), (pointer, 0, (), 0, 8), WITHIN) == NONE
    assert overlap((pointer, 0, (), 0, 4), (small, 0, (), 0, 4), WITHIN) == SOME
    assert overlap((pointer, 0, (), 0, 8), (small, 0, (), 0, 4), WITHIN) == NONE


def test_a_write_of_a_whole_object_covers_whatever_is_read_in_it():
    array = Origin(LOCAL, 0, is_object=True, size=16)
    somewhere = (array, 0, (("i", 4),), 0, 4)
    assert overlap(somewhere, (array, 0, (), 0, 16), BEYOND_INDEX) == ALL
    assert overlap(somewhere, (array, 0, (), 0, 12), WITHIN) == SOME
    assert overlap(somewhere, (array, 0, (), 0, None), WITHIN) == SOME


LOOP = """  br label %h

h:
{inside}
  br i1 %d, label %h, label %e

e:
  ret void"""


def test_the_same_name_is_another_address_in_another_iteration():
    # %s is one address within an iteration, so store 4 is certain; the next load of the
    # location is in the next iteration, where %s is another one.
    inside = """  %n = phi i64 [ 0, %0 ], [ %m, %h ]
  %s = getelementptr i32, ptr %p, i64 %n
  %before = load i32, ptr %s
  store i32 1, ptr %s
  %after = load i32, ptr %s
  %m = add i64 %n, 1"""
    assert reads(LOOP.format(inside=inside)) == ["4 entry", "4"]


def test_the_neighbour_of_an_element_is_apart_only_within_an_iteration():
    inside = """  %n = phi i64 [ 0, %0 ], [ %m, %h ]
  %m = add i64 %n, 1
  %s = getelementptr i32, ptr %p, i64 %n
  %t = getelementptr i32, ptr %p, i64 %m
  store i32 1, ptr %t
  %v = load i32, ptr %s"""
    # The neighbour written one iteration before is the element read now.
    assert reads(LOOP.format(inside=inside)) == ["5 entry"]
    straight = """  %m = add i64 %i, 1
  %s = getelementptr i32, ptr %p, i64 %i
  %t = getelementptr i32, ptr %p, i64 %m
  store i32 1, ptr %t
  %v = load i32, ptr %s
  ret void"""
    assert reads(straight) == ["entry"]


def test_a_pointer_loaded_anew_in_each_iteration_is_another_one():
    inside = """  %x = load ptr, ptr %q
  %y = getelementptr i8, ptr %x, i64 8
  %v = load i32, ptr %x
  store i32 1, ptr %y"""
    # 8 bytes on from the pointer of the last iteration may be where this one points.
    assert reads(LOOP.format(inside=inside)) == ["4 entry", "4 entry"]


def test_an_object_made_anew_in_each_iteration_is_fresh():
    inside = """  %x = call ptr @malloc(i64 8)
  %v = load i32, ptr %x
  store i32 1, ptr %x
  call void @g(ptr %x)
  %w = load i32, ptr %x"""
    before = "declare noalias ptr @malloc(i64)\ndeclare void @g(ptr)"
    assert reads(LOOP.format(inside=inside), before) == ["fresh", "3 4"]


def test_an_object_of_an_earlier_iteration_seen_through_a_phi_is_not_overwritten():
    inside = """  %old = phi ptr [ %p, %0 ], [ %x, %h ]
  %x = alloca i32
  %v = load i32, ptr %old
  store i32 1, ptr %x
  %w = load i32, ptr %x
  %u = load i32, ptr %old"""
    assert reads(LOOP.format(inside=inside)) == ["4 entry fresh", "4", "4 entry fresh"]


def test_walks_end_after_a_bounded_number_of_stores():
    def body(n):
        stores = "".join(f"  store i32 {at}, ptr %p{at}\n" for at in range(n))
        return stores + "  %v = load i32, ptr %q\n  ret void"

    def parameters(n):
        return "ptr %q" + "".join(f", ptr %p{at}" for at in range(n))

    (known,) = reads(body(MAX_STORES), "", parameters(MAX_STORES))
    assert len(known.split()) == MAX_STORES + 1
    assert reads(body(MAX_STORES + 1), "", parameters(MAX_STORES + 1)) == ["unknown"]


def test_an_unwind_edge_sees_what_the_invoke_may_have_written():
    body = """  store i32 1, ptr %p
  invoke void @g(ptr %p) to label %n unwind label %u

n:
  %v = load i32, ptr %p
  ret void

u:
  %l = landingpad { ptr, i32 } cleanup
  %w = load i32, ptr %p
  ret void"""
    assert reads(body, "declare void @g(ptr)") == ["0 1", "0 1"]


def test_what_other_threads_write_comes_in_through_acquiring_instructions():
    body = """  store i32 1, ptr %p
  {how}
  %v = load i32, ptr %p
  ret void"""
    for how, expected in [
        ("fence acquire", "0 1"),
        ("fence seq_cst", "0 1"),
        ("%x = load atomic i32, ptr @g acquire, align 4", "0 1"),
        ("%x = load atomic i32, ptr @g monotonic, align 4", "0"),
        ("store atomic i32 1, ptr @g seq_cst, align 4", "0 1"),
        ("store atomic i32 1, ptr @h release, align 4", "0"),
    ]:
        assert reads(body.format(how=how), "@g = global i32 0\n@h = global i16 0")[-1] == expected


@pytest.mark.parametrize("how", ["load volatile i32", "load atomic i32"])
def test_volatile_and_atomic_loads_are_known_in_private_memory_only(how):
    ordering = " seq_cst, align 4" if "atomic" in how else ""
    body = f"""  %x = alloca [2 x i32]
  store i32 1, ptr %x
  store i32 1, ptr %p
  %v = {how}, ptr %x{ordering}
  %w = {how}, ptr %p{ordering}
  ret void"""
    assert reads(body) == ["1", "unknown"]


def test_loads_in_dead_blocks_are_unknown():
    assert reads("  ret void\n\ndead:\n  %v = load i32, ptr %p\n  ret void") == ["unknown"]
