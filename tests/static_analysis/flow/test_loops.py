import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st


def natural_loops(graph):
    """Natural loops by their definition, on an explicit graph: header → blocks."""
    whole = nx.DiGraph([(b, s) for b in graph.preorder for s in graph.successors[b]])
    whole.add_node(0)
    loops = {}
    for tail, header in whole.edges:
        without = whole.copy()
        without.remove_node(header)
        escapes = tail != header and tail in nx.descendants(without, 0) | {0} if header else False
        if not escapes:
            body = {header, tail}
            if tail != header:
                body |= nx.ancestors(without, tail)
            loops.setdefault(header, set()).update(body)
    return loops, whole


@given(data=st.data())
def test_nesting_is_that_of_the_natural_loops_around_a_block(generated_functions, scene_of, data):
    scene = scene_of(data.draw(generated_functions).text())
    loops, _ = natural_loops(scene.graph)
    for block in range(len(scene.function.blocks)):
        assert scene.loops.depth[block] == sum(block in body for body in loops.values())
        around = [header for header, body in loops.items() if block in body]
        innermost = min(around, key=lambda header: len(loops[header]), default=-1)
        assert scene.loops.innermost[block] == innermost
    assert {header for _, header in scene.loops.back_edges} == set(loops) == set(scene.loops.outer)
    for header, outer in scene.loops.outer.items():
        assert scene.loops.depth[header] == 1 + (scene.loops.depth[outer] if outer >= 0 else 0)


@given(data=st.data())
def test_irreducible_blocks_are_the_cycles_that_back_edges_do_not_close(
    generated_functions, scene_of, data
):
    scene = scene_of(data.draw(generated_functions).text())
    _, whole = natural_loops(scene.graph)
    whole.remove_edges_from(scene.loops.back_edges)
    cyclic = [c for c in nx.strongly_connected_components(whole) if len(c) > 1]
    assert scene.loops.irreducible == set().union(*cyclic)


@pytest.mark.parametrize(
    ("body", "depth"),
    [
        ("  br label %h\n\nh:\n  br i1 %d, label %h, label %x\n\nx:\n  ret void", [0, 1, 0]),
        (
            "  br label %o\n\no:\n  br label %i\n\ni:\n  br i1 %d, label %i, label %l\n\n"
            "l:\n  br i1 %d, label %o, label %x\n\nx:\n  ret void",
            [0, 1, 2, 1, 0],
        ),
        ("  ret void\n\ndead:\n  br label %dead", [0, 0]),
    ],
)
def test_hand_worked_depths(scene_of, body, depth):
    scene = scene_of(f"define void @f(i1 %d) {{\n{body}\n}}\n")
    assert scene.loops.depth == depth
    assert not scene.loops.irreducible


def test_a_cycle_with_two_entries_is_irreducible(scene_of):
    scene = scene_of(
        "define void @f(i1 %d) {\n  br i1 %d, label %a, label %b\n\na:\n  br label %b\n\n"
        "b:\n  br i1 %d, label %a, label %x\n\nx:\n  ret void\n}\n"
    )
    assert scene.loops.depth == [0, 0, 0, 0]
    assert scene.loops.irreducible == {1, 2}
