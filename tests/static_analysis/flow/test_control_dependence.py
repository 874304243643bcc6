import pytest
from hypothesis import given
from hypothesis import strategies as st

from static_analysis.flow.control_dependence import (
    MAX_CHOICES,
    OUTSIDE,
    Control,
    control_dependence,
)
from static_analysis.flow.dominators import EXIT, immediate_post_dominators
from static_analysis.flow.iteration import one_iteration


def controls(scene):
    return control_dependence(scene.function, scene.tree, scene.loops)


def by_definition(scene):
    """The choices that control each block, one pair of blocks at a time."""
    flow = one_iteration(scene.function, scene.graph, scene.loops)
    ipdoms = immediate_post_dominators(flow)
    found = [set() for _ in scene.tree.idoms]
    for chooser in scene.graph.preorder:
        chosen_from = flow.successors[chooser]
        for chosen in chosen_from if len(chosen_from) > 1 else ():
            for block in scene.graph.preorder:
                certain = block != chooser and is_above(ipdoms, block, chooser)
                again = scene.loops.irreducible and is_above(scene.tree.idoms, block, chooser)
                if is_above(ipdoms, block, chosen) and not certain and not again:
                    found[block].add((chooser, chosen))
    return found


def is_above(ipdoms, above, block):
    while block not in (above, EXIT):
        block = ipdoms[block]
    return block == above


@given(data=st.data())
def test_what_is_found_is_control_dependence_by_its_definition(generated_functions, scene_of, data):
    scene = scene_of(data.draw(generated_functions).text())
    found = controls(scene)
    for block, (expected, control) in enumerate(zip(by_definition(scene), found, strict=True)):
        assert set(control.choices) <= expected
        known = len(expected) <= MAX_CHOICES and block not in scene.loops.irreducible
        assert control.complete == (known or not expected)
        assert len(control.choices) == min(len(expected), MAX_CHOICES)


@given(data=st.data())
def test_a_block_runs_because_one_of_its_choices_fell_its_way(generated_functions, scene_of, data):
    function = data.draw(generated_functions)
    scene = scene_of(function.text())
    found = controls(scene)
    taken, block = set(), 0
    for decision in data.draw(st.lists(st.integers(0, 11), max_size=60)):
        successors = scene.graph.successors[block]
        if not successors:
            break
        chosen = successors[decision % len(successors)]
        taken.add((block, chosen))
        block = chosen
        if found[block].choices and found[block].complete:
            assert taken & set(found[block].choices)


def controls_of(scene_of, body):
    return [control.choices for control in controls(scene_of(body))]


HEAD = "define void @f(i1 %a, i1 %b, i32 %n) personality ptr null {\n"


def test_either_side_of_an_or(scene_of):
    """if (a || b) then; end"""
    body = (
        "  br i1 %a, label %then, label %other\n\nother:\n  br i1 %b, label %then, label %end\n\n"
        "then:\n  br label %end\n\nend:\n  ret void\n}\n"
    )
    assert controls_of(scene_of, HEAD + body) == [(), ((0, 1),), ((0, 2), (1, 2)), ()]


def test_after_a_conditional_break_the_break_is_remembered(scene_of):
    """for (;;) { if (a) { if (b) break; } rest; }"""
    body = (
        "  br label %head\n\nhead:\n  br i1 %a, label %in, label %rest\n\n"
        "in:\n  br i1 %b, label %end, label %rest\n\nrest:\n  br label %head\n\n"
        "end:\n  ret void\n}\n"
    )
    assert controls_of(scene_of, HEAD + body) == [(), (), ((1, 2),), ((1, 3), (2, 3)), ()]


def test_a_switch_that_falls_through(scene_of):
    body = (
        "  switch i32 %n, label %end [\n    i32 1, label %one\n    i32 2, label %two\n  ]\n\n"
        "one:\n  br label %two\n\ntwo:\n  br label %end\n\nend:\n  ret void\n}\n"
    )
    assert controls_of(scene_of, HEAD + body) == [(), ((0, 1),), ((0, 1), (0, 2)), ()]


def test_a_loop_does_not_depend_on_itself(scene_of):
    """while (a) { do ; while (b); }"""
    body = (
        "  br label %head\n\nhead:\n  br i1 %a, label %in, label %end\n\n"
        "in:\n  br i1 %b, label %in, label %head\n\nend:\n  ret void\n}\n"
    )
    assert controls_of(scene_of, HEAD + body) == [(), (), ((1, 2),), ()]


def test_inside_an_endless_loop_nothing_depends_on_how_it_is_left(scene_of):
    """for (;;) { if (a) { then; continue; } else; }"""
    body = (
        "  br label %head\n\nhead:\n  br i1 %a, label %then, label %else\n\n"
        "then:\n  br label %head\n\nelse:\n  br label %head\n}\n"
    )
    assert controls_of(scene_of, HEAD + body) == [(), (), ((1, 2),), ((1, 3),)]


CALL = "invoke void @g() to label %{} unwind label %pad\n\n"
PAD = "pad:\n  %l = landingpad { ptr, i32 } cleanup\n"


def test_a_call_that_might_throw_decides_nothing(scene_of):
    """if (a) { g(); then; g(); } end; but what catches is entered from outside"""
    body = (
        "  br i1 %a, label %call, label %end\n\ncall:\n  " + CALL.format("then") + "then:\n  "
        + CALL.format("end") + PAD + "  br i1 %b, label %more, label %out\n\n"
        "more:\n  br label %out\n\nout:\n  resume { ptr, i32 } %l\n\nend:\n  ret void\n}\n"
        "declare void @g()\n"
    )  # fmt: skip
    pad = (OUTSIDE, 3)
    then = ((0, 1),)
    assert controls_of(scene_of, HEAD + body) == [(), then, then, (pad,), ((3, 4),), (pad,), ()]


def test_where_a_caught_exception_may_come_back(scene_of):
    """try { g(); } catch (...) { if (a) throw; } end;"""
    body = (
        "  " + CALL.format("end") + PAD + "  br i1 %b, label %out, label %end\n\n"
        "out:\n  resume { ptr, i32 } %l\n\nend:\n  ret void\n}\ndeclare void @g()\n"
    )
    found = controls_of(scene_of, HEAD + body)
    assert found[3] == ((OUTSIDE, 0), (1, 3))


@pytest.mark.parametrize("ways", [MAX_CHOICES, MAX_CHOICES + 1])
def test_of_many_alternatives_some_are_named(scene_of, ways):
    tests = "".join(
        f"  br i1 %a, label %then, label %b{way}\n\nb{way}:\n" for way in range(1, ways + 1)
    )
    body = f"{tests}  br label %end\n\nthen:\n  br label %end\n\nend:\n  ret void\n}}\n"
    control = controls(scene_of(HEAD + body))[ways + 1]
    assert len(control.choices) == MAX_CHOICES
    assert control.complete == (ways == MAX_CHOICES)
    assert controls(scene_of(HEAD + body))[ways + 2] == Control((), True)
