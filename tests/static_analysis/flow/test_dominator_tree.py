import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from static_analysis.flow.cfg import graph_of
from static_analysis.flow.dominator_tree import DominatorTree


def dominators_of(graph):
    """Return the blocks on every way to each reachable block, by taking each away in turn."""
    whole = nx.DiGraph([(b, to) for b in graph.preorder for to in graph.successors[b]])
    whole.add_node(0)
    above = {block: {block, 0} for block in graph.preorder}
    for block in graph.preorder[1:]:
        without = whole.subgraph(set(whole) - {block})
        for cut_off in set(whole) - {0} - nx.descendants(without, 0):
            above[cut_off].add(block)
    return above


@given(data=st.data())
def test_dominance_is_being_on_every_way(generated_functions, scene_of, data):
    tree = scene_of(data.draw(generated_functions).text()).tree
    above = dominators_of(tree.graph)
    for block in tree.graph.preorder:
        for other in tree.graph.preorder:
            assert tree.dominates(other, block) == (other in above[block])
            assert tree.dominates_strictly(other, block) == (other in above[block] - {block})


@given(data=st.data())
def test_a_frontier_is_where_dominance_ends(generated_functions, scene_of, data):
    tree = scene_of(data.draw(generated_functions).text()).tree
    above = dominators_of(tree.graph)
    expected = [set() for _ in tree.idoms]
    for block in tree.graph.preorder:
        for to in tree.graph.successors[block]:
            for dominator in above[block] - (above[to] - {to}):
                expected[dominator].add(to)
    assert [tree.frontiers[block] for block in tree.graph.preorder] == [
        expected[block] for block in tree.graph.preorder
    ]


@pytest.mark.parametrize(
    ("targets", "expected"),
    [
        ([()], [set()]),
        ([(1, 2), (3,), (3,), ()], [set(), {3}, {3}, set()]),
        ([(1,), (2, 3), (1,), ()], [set(), {1}, {1}, set()]),  # a header is in its own frontier
    ],
)
def test_hand_worked_frontiers(targets, expected):
    assert DominatorTree(graph_of(targets)).frontiers == expected


def test_children_are_in_block_order():
    tree = DominatorTree(graph_of([(3, 1), (2,), (), (2,), ()]))
    assert tree.children == [[1, 2, 3], [], [], [], []]
    assert (tree.enter[4], tree.leave[4]) == (-1, -1)  # cannot be reached
