from hypothesis import given
from hypothesis import strategies as st

from static_analysis.flow.cfg import graph_of
from static_analysis.flow.dominator_tree import DominatorTree
from static_analysis.memory.ssa import (
    ADD,
    ENTRY,
    FRESH,
    MERGE,
    READ,
    RESET,
    SET,
    UNTRACKED,
    build_ssa,
)

N_VARIABLES = 3


@st.composite
def programs(draw):
    """Random control flow, and events of some variables in each block."""
    n = draw(st.integers(1, 8))
    targets = [
        tuple(draw(st.lists(st.integers(1, n - 1), max_size=3))) if n > 1 else () for _ in range(n)
    ]
    event = st.tuples(
        st.integers(0, N_VARIABLES - 1), st.sampled_from([READ, READ, ADD, SET, RESET])
    )
    blocks, index = [], 0
    for _ in range(n):
        events = []
        for variable, kind in draw(st.lists(event, max_size=5)):
            events.append((variable, index, kind))
            index += 1
        blocks.append(events)
    return targets, blocks


def by_data_flow(graph, blocks):
    """Return what each read sees as sets of writers, by iteration to a fixed point."""
    start = [frozenset({"entry"})] * N_VARIABLES
    at_entry = {block: [frozenset()] * N_VARIABLES for block in graph.preorder}
    at_entry[0] = start
    seen, changed = {}, True
    while changed:
        changed = False
        for block in graph.preorder:
            state = list(at_entry[block])
            for variable, index, kind in blocks[block]:
                if kind == READ:
                    seen[index] = state[variable]
                else:
                    old = state[variable] if kind == ADD else frozenset()
                    state[variable] = old | {"fresh" if kind == RESET else index}
            for successor in graph.successors[block]:
                joined = [a | b for a, b in zip(at_entry[successor], state, strict=True)]
                if joined != at_entry[successor]:
                    at_entry[successor], changed = joined, True
    return seen


def writers_behind(ssa, version):
    seen, work, found = {version}, [version], set()
    while work:
        at = work.pop()
        if at in (FRESH, ENTRY):
            found.add("fresh" if at == FRESH else "entry")
            continue
        if ssa.writers[at] == MERGE:
            further = ssa.incoming[at]
        else:
            found.add(ssa.writers[at])
            further = [ssa.before[at]] if ssa.before[at] != UNTRACKED else []
        work += [one for one in further if one not in seen]
        seen.update(further)
    return found


@given(programs())
def test_versions_say_what_data_flow_says(program):
    targets, blocks = program
    graph = graph_of(targets)
    ssa = build_ssa(DominatorTree(graph), blocks, [ENTRY] * N_VARIABLES)
    expected = by_data_flow(graph, blocks)
    assert {index for index, _, _ in ssa.reads} == expected.keys()
    for index, _, version in ssa.reads:
        assert writers_behind(ssa, version) == expected[index]


def test_a_variable_of_no_interest_stays_untracked():
    tree = DominatorTree(graph_of([(1,), (1,)]))
    ssa = build_ssa(tree, [[], [(0, 0, READ), (0, 1, SET)]], [UNTRACKED])
    assert ssa.reads == [(0, 0, UNTRACKED)]


def test_merges_are_bounded():
    # Every block of a deep nest of loops ends every loop: each variable would merge in all.
    n = 400
    targets = [(1,), *((at + 1, at) for at in range(1, n - 1)), tuple(range(1, n))]
    tree = DominatorTree(graph_of(targets))
    events = [[(v, v, READ), (v, v, SET)] if v < n - 1 else [] for v in range(n)]
    ssa = build_ssa(tree, events, [ENTRY] * n)
    assert ssa.untracked
    assert len(ssa.writers) < 40 * n
