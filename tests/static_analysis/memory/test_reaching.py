import pytest

from static_analysis.memory.reaching import MAX_STORES
from tests.static_analysis.memory_reads import reads

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
