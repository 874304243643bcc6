import pytest
from hypothesis import given
from hypothesis import strategies as st

from static_analysis import IRError
from static_analysis.flow.cfg import control_flow


def edges(body_of, body):
    return control_flow(body_of(body)).targets


def test_true_target_comes_first(body_of):
    body = "  br i1 %d, label %yes, label %no\n\nyes:\n  ret void\n\nno:\n  ret void"
    assert edges(body_of, body)[0] == (1, 2)


def test_switch_starts_with_its_default_and_repeats_targets(body_of):
    body = (
        "  switch i32 %a, label %x [\n    i32 1, label %y\n    i32 2, label %y\n  ]\n\n"
        "x:\n  ret void\n\ny:\n  ret void"
    )
    graph = control_flow(body_of(body))
    assert graph.targets[0] == (1, 2, 2)
    assert graph.successors[0] == (1, 2)
    assert graph.predecessors[2] == [0]


def test_exceptions_are_edges(body_of):
    body = """  invoke void @g()
          to label %ok unwind label %pad

pad:
  %s = catchswitch within none [label %h1, label %h2] unwind label %clean

h1:
  %c1 = catchpad within %s [ptr null]
  catchret from %c1 to label %ok

h2:
  %c2 = catchpad within %s []
  catchret from %c2 to label %ok

clean:
  %c3 = cleanuppad within none []
  cleanupret from %c3 unwind to caller

ok:
  ret void"""
    assert edges(body_of, body) == [(5, 1), (2, 3, 4), (5,), (5,), (), ()]


def test_indirect_branches_and_callbr(body_of):
    body = """  callbr void asm "", "!i"()
          to label %x [label %y]

x:
  indirectbr ptr %p, [label %x, label %y]

y:
  ret void"""
    assert edges(body_of, body) == [(1, 2), (1, 2), ()]


def test_a_label_nobody_has_is_an_error(body_of):
    with pytest.raises(IRError, match="branches to %nowhere"):
        control_flow(body_of("  br label %nowhere"))


@given(data=st.data())
def test_edges_are_those_that_were_generated(generated_functions, scene_of, data):
    generated = data.draw(generated_functions)
    graph = scene_of(generated.text()).graph
    assert graph.targets == [tuple(targets) for _, targets in generated.blocks]
    assert sorted(graph.preorder) == sorted(
        {0} | {b for b, p in enumerate(graph.parents) if p >= 0}
    )
