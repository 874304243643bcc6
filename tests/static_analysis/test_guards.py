import networkx as nx
from hypothesis import given
from hypothesis import strategies as st


@given(data=st.data())
def test_the_choice_reported_is_on_every_way_to_the_block(generated_functions, scene_of, data):
    scene = scene_of(data.draw(generated_functions).text())
    whole = nx.DiGraph([(b, s) for b in scene.graph.preorder for s in scene.graph.successors[b]])
    whole.add_node(0)
    for block, guard in enumerate(scene.guards):
        if guard is not None:
            without = whole.copy()
            without.remove_edge(*guard)
            assert block not in nx.descendants(without, 0) | {0}


def test_a_join_runs_under_what_its_branch_ran_under(scene_of):
    scene = scene_of(
        "define void @f(i1 %d) {\n  br i1 %d, label %in, label %out\n\nin:\n"
        "  br i1 %d, label %t, label %e\n\nt:\n  br label %j\n\ne:\n  br label %j\n\n"
        "j:\n  ret void\n\nout:\n  ret void\n}\n"
    )
    assert scene.guards == [None, (0, 1), (1, 2), (1, 3), (0, 1), (0, 5)]
