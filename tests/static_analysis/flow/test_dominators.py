import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from static_analysis.flow.cfg import graph_of
from static_analysis.flow.dominators import EXIT, immediate_post_dominators


def whole_graph(graph):
    edges = [(b, s) for b, successors in enumerate(graph.successors) for s in successors]
    whole = nx.DiGraph(edges)
    whole.add_node(0)
    return whole


@given(data=st.data())
def test_agrees_with_the_iterative_algorithm(generated_functions, scene_of, data):
    scene = scene_of(data.draw(generated_functions).text())
    reference = nx.immediate_dominators(whole_graph(scene.graph), 0)
    for block, idom in enumerate(scene.tree.idoms):
        expected = reference.get(block) if block else None
        assert idom == (-1 if expected is None else expected)


@given(data=st.data())
def test_post_dominators_are_what_every_way_to_an_exit_passes(generated_functions, scene_of, data):
    graph = scene_of(data.draw(generated_functions).text()).graph
    whole = whole_graph(graph)
    whole.add_nodes_from(range(len(graph.successors)))
    never_left = [
        component
        for component in nx.strongly_connected_components(whole)
        if all(to in component for block in component for to in whole[block])
    ]
    found = immediate_post_dominators(graph)
    for block, nearest in enumerate(found):
        past_it = whole.subgraph(set(whole) - {nearest})
        if nearest != EXIT and nearest != block:
            reached = {block} | nx.descendants(past_it, block)
            assert not any(component <= reached for component in never_left)
        for other in set(whole) - {block, nearest, *_above(found, nearest)}:
            reached = {block} | nx.descendants(whole.subgraph(set(whole) - {other}), block)
            assert any(component & reached for component in never_left)


def _above(post_dominators, block):
    while block != EXIT:
        yield block
        block = post_dominators[block]


@pytest.mark.parametrize(
    ("targets", "expected"),
    [
        ([()], [EXIT]),
        ([(1, 2), (3,), (3,), ()], [3, 3, 3, EXIT]),
        ([(1, 2), (), ()], [EXIT, EXIT, EXIT]),
        ([(), (0,)], [EXIT, 0]),  # block 1 cannot be reached
        ([(1,), (2,), (1,)], [1, 2, EXIT]),  # never ends: the block furthest from its first exits
        ([(1, 2), (1,), ()], [EXIT, EXIT, EXIT]),
    ],
)
def test_hand_worked_post_dominators(targets, expected):
    assert immediate_post_dominators(graph_of(targets)) == expected
