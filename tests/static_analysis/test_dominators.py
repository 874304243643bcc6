import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from static_analysis.dominators import tree_children, tree_intervals


def whole_graph(graph):
    edges = [(b, s) for b, successors in enumerate(graph.successors) for s in successors]
    whole = nx.DiGraph(edges)
    whole.add_node(0)
    return whole


@given(data=st.data())
def test_agrees_with_the_iterative_algorithm(generated_functions, scene_of, data):
    scene = scene_of(data.draw(generated_functions).text())
    reference = nx.immediate_dominators(whole_graph(scene.graph), 0)
    for block, idom in enumerate(scene.idoms):
        expected = reference.get(block) if block else None
        assert idom == (-1 if expected is None else expected)


@given(data=st.data())
def test_intervals_nest_as_dominators_do(generated_functions, scene_of, data):
    scene = scene_of(data.draw(generated_functions).text())
    enter, leave = tree_intervals(scene.graph.preorder, tree_children(scene.idoms))
    whole = whole_graph(scene.graph)
    for upper in scene.graph.preorder:
        without = whole.copy()
        without.remove_node(upper)
        escaped = nx.descendants(without, 0) | {0} if upper else set()
        for lower in scene.graph.preorder:
            dominates = lower == upper or lower not in escaped
            assert dominates == (enter[upper] <= enter[lower] and leave[lower] <= leave[upper])
