import pytest

from static_analysis.memory.origins import ARGUMENT, GLOBAL, LOCAL, NOTHING, UNKNOWN
from tests.static_analysis.memory_reads import follow

BEFORE = "@g = global [8 x i32] zeroinitializer\ndeclare ptr @any()\ndeclare i64 @dice()\n"


def addresses(body):
    return follow(f"{body}\n  ret void", BEFORE)[0]


@pytest.mark.parametrize(
    ("body", "kind", "offset"),
    [
        ("%x = getelementptr i8, ptr %p, i64 3", ARGUMENT, 3),
        (
            "%y = getelementptr i8, ptr %p, i8 3\n %x = getelementptr i32, ptr %y, i64 -1",
            ARGUMENT,
            -1,
        ),
        ("%y = alloca [2 x i32]\n %x = getelementptr i32, ptr %y, i64 1", LOCAL, 4),
        ("%x = getelementptr i32, ptr getelementptr (i8, ptr @g, i64 1), i64 1", GLOBAL, 5),
        ("%x = call ptr @any()", UNKNOWN, 0),
        ("%x = load ptr, ptr %p", UNKNOWN, 0),
        ("%y = getelementptr i8, ptr %p, i64 1\n %x = freeze ptr %y", ARGUMENT, 1),
        ("%x = select i1 %d, ptr %p, ptr %p", ARGUMENT, 0),
        ("%s = alloca ptr\n store ptr %p, ptr %s\n %x = load ptr, ptr %s", ARGUMENT, 0),
    ],
)
def test_pointers_are_an_origin_and_a_constant(body, kind, offset):
    origin, at, terms, place = addresses(body)["%x"]
    assert (origin.kind, at, terms, place) == (kind, offset, (), 0)


def test_the_same_index_gives_the_same_terms():
    found = addresses(
        """  %x = getelementptr i32, ptr %p, i64 %i
  %y = getelementptr i32, ptr %p, i64 %i
  %j1 = add i64 %i, 1
  %z = getelementptr i32, ptr %p, i64 %j1
  %u = getelementptr i32, ptr %p, i64 %j"""
    )
    assert found["%x"] == found["%y"]
    assert found["%z"] == (found["%x"][0], 4, *found["%x"][2:])  # one element on
    assert found["%u"][2] != found["%x"][2]
    assert [size for _, size in found["%x"][2]] == [4]


def test_an_index_that_is_known_is_added_up():
    found = addresses(
        """  %s = alloca i64
  store i64 2, ptr %s
  %k = load i64, ptr %s
  %x = getelementptr [4 x i16], ptr %p, i64 %k, i64 %k"""
    )
    assert found["%x"][1:3] == (2 * 8 + 2 * 2, ())


def test_of_an_index_that_may_wrap_only_powers_of_two_divide():
    found = addresses(
        """  %x = getelementptr [3 x i32], ptr %p, i64 %i
  %y = getelementptr inbounds [3 x i32], ptr %p, i64 %i"""
    )
    assert [size for _, size in found["%x"][2]] == [4]
    assert [size for _, size in found["%y"][2]] == [12]


def test_many_indices_are_one_that_nothing_is_known_of():
    steps = [f"  %x{n + 1} = getelementptr i8, ptr %x{n}, i64 %i" for n in range(8)]
    found = addresses("\n".join(["  %x0 = getelementptr i8, ptr %p, i64 %i", *steps]))
    sizes = [len(found[f"%x{n}"][2]) for n in range(9)]
    assert sizes == [1, 2, 3, 4, 5, 6, 1, 2, 3]
    assert found["%x6"][0] is found["%x0"][0]


def test_the_place_is_the_innermost_block_that_anything_is_defined_in():
    found = addresses(
        """  %x = getelementptr i32, ptr %p, i64 %i
  br label %b

b:
  %k = call i64 @dice()
  %y = getelementptr i32, ptr %x, i64 %k
  %u = call ptr @any()
  br i1 %d, label %c, label %b

c:
  %z = getelementptr i32, ptr %y, i64 %i
  %w = getelementptr i32, ptr %u, i64 %i"""
    )
    assert [found[name][3] for name in ("%x", "%y", "%u", "%z", "%w")] == [0, 1, 1, 1, 1]


def test_choices_have_an_origin_that_knows_its_parts():
    found = addresses(
        """  %y = alloca [2 x i32]
  br i1 %d, label %a1, label %b

a1:
  br label %b

b:
  %x = phi ptr [ %y, %0 ], [ %p, %a1 ]
  %z = select i1 %d, ptr %x, ptr @g"""
    )
    chosen = found["%x"][0]
    assert (chosen.kind, chosen.place) == (NOTHING, 2)
    assert chosen.parts == [found["%y"][0], found["%p"][0]]
    assert found["%z"][0].parts[0] is chosen
    assert found.choices == [chosen, found["%z"][0]]


def test_a_register_that_is_stored_on_two_ways_is_a_choice():
    found = addresses(
        """  %s = alloca ptr
  store ptr %p, ptr %s
  br i1 %d, label %a1, label %b

a1:
  store ptr %q, ptr %s
  br label %b

b:
  %x = load ptr, ptr %s
  %y = load ptr, ptr %s"""
    )
    assert found["%x"] == found["%y"]
    assert set(found["%x"][0].parts) == {found["%p"][0], found["%q"][0]}


def test_a_pointer_that_runs_through_a_loop_is_what_it_started_from():
    found = addresses(
        """  %s = alloca ptr
  store ptr %p, ptr %s
  br label %b

b:
  %x = load ptr, ptr %s
  %n = getelementptr i32, ptr %x, i64 1
  store ptr %n, ptr %s
  br i1 %d, label %b, label %c

c:"""
    )
    merged = found["%x"][0]
    assert set(merged.parts) == {found["%p"][0], merged}
