import numpy as np
import pytest

from finetune.tasks.binary_diffing import Build, blocks, build_vectors, diff, read_build
from oscar import OscarModel
from static_analysis import OscarError

SOURCE = """
static int helper(int x) { return x + 1; }
int line(int x) { return helper(x) * 2; }
int loop(int n) { int s = 0; for (int i = 0; i < n; i++) s += i * i; return s; }
int choose(int x) { switch (x) { case 1: return 7; case 5: return 3; default: return x; } }
"""


@pytest.fixture(scope="module")
def builds(tmp_path_factory):
    path = tmp_path_factory.mktemp("diff") / "a.c"
    path.write_text(SOURCE)
    return Build.at_level([path], "O0"), Build.at_level([path], "O2")


def names(build, rows):
    return [build.functions[row].function for row in rows]


def test_functions_are_matched_by_name(builds):
    found = diff(*builds)
    assert names(builds[0], found.queries) == ["line", "loop", "choose"]
    assert names(builds[1], np.array(found.pool)[found.right]) == ["line", "loop", "choose"]
    assert {function.view for function in builds[1].functions} == {"O2"}
    assert len(found.pool) == 3  # helper is gone at O2: it is no query


def test_what_only_the_second_build_has_is_in_the_pool_at_its_place(builds):
    found = diff(builds[1], builds[0])
    assert names(builds[0], found.pool) == names(builds[0], range(4))
    assert "helper" not in names(builds[0], np.array(found.pool)[found.right])
    assert names(builds[0], np.array(found.pool)[found.right]) == names(builds[1], found.queries)


def test_functions_without_a_key_are_no_queries_and_no_answers(builds):
    first, second = builds
    unknown = [None, *first.keys[1:]]
    found = diff(Build(first.functions, unknown), Build(second.functions, [None] * 3))
    assert found.queries == []
    assert found.pool == [0, 1, 2]


def test_blocks_are_counted_and_small_functions_may_be_left_out(builds):
    at_o0 = {function.function: blocks(function) for function in builds[0].functions}
    # loop: entry, condition, body, increment, end. choose: entry, three cases, end.
    assert at_o0 == {"line": 1, "loop": 5, "choose": 5, "helper": 1}
    found = diff(*builds, least_blocks=2)
    assert set(names(builds[0], found.queries)) <= {"loop", "choose"}
    assert all(blocks(builds[1].functions[row]) >= 2 for row in found.pool)


def test_sources_of_which_nothing_lowers_are_one_clear_line(tmp_path):
    path = tmp_path / "b.c"
    path.write_text("not C")
    with pytest.raises(OscarError, match=r"no function of .*b\.c at O1: b\.c"):
        read_build([path], "O1")


def test_a_function_has_one_vector_whatever_is_asked_beside_it(builds, model_folder):
    twice = [builds[0], builds[0]]
    model = OscarModel.from_pretrained(model_folder)
    for reader in (None, model):
        one, other = (
            np.asarray(v.todense() if reader is None else v)
            for v in build_vectors(twice, reader, keep_names=False)
        )
        assert len(one) == 4
        assert one == pytest.approx(other, abs=1e-5)
    (named,), (stripped,) = (build_vectors([builds[0]], model, keep) for keep in (True, False))
    assert abs(named - stripped).max() > 1e-4
