"""The baseline of the benchmark does what the original did, its fault included."""

from benchmarks.parts.nearest_version import nearest_versions
from static_analysis.flow.cfg import control_flow
from static_analysis.reading.reader import read_module

LOOP = """
define i32 @f(i32 %n, ptr %p) {
entry:
  %i = alloca i32
  %s = alloca i32
  store i32 0, ptr %s
  store i32 %n, ptr %i
  br label %head
head:
  %a = load i32, ptr %i
  %b = load i32, ptr %s
  %c = load i32, ptr %p
  store i32 %b, ptr %s
  store i32 %a, ptr %i
  %more = icmp sgt i32 %a, 0
  br i1 %more, label %head, label %out
out:
  %d = load i32, ptr %s
  ret i32 %d
}
"""


def _sources(text):
    module = read_module(text)
    (function,) = module.functions
    found = nearest_versions(function, module, control_flow(function))
    return {load: (sources.stores, sources.entry) for load, sources in found.items()}


def test_past_a_merge_the_address_is_ignored():
    # Both ways into the head end with a store to %i, which the load of %s gets as well.
    found = _sources(LOOP)
    assert found[5] == ((3, 9), False)
    assert found[6] == ((3, 9), False)


def test_without_a_merge_plainly_other_objects_are_passed_by():
    assert _sources(LOOP)[12] == ((8,), False)


def test_a_merge_is_passed_by_where_all_ways_lead_to_one_write():
    text = LOOP.replace("store i32 %b, ptr %s", "store i32 %b, ptr %i")
    assert _sources(text)[6] == ((2,), False)


def test_nothing_is_said_of_memory_that_a_call_or_nobody_wrote():
    text = """
    declare void @g(ptr)
    define i32 @f(ptr %p) {
      %x = alloca i32
      %a = load i32, ptr %p
      call void @g(ptr %x)
      %b = load i32, ptr %x
      ret i32 %b
    }
    """
    lines = "\n".join(line.strip() for line in text.strip().splitlines())
    assert _sources(lines) == {}
