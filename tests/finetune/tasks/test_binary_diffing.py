import pytest

from finetune.tasks.binary_diffing import (
    blocks,
    diff,
    function_vectors,
    read_build,
    without_names,
)
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
    return read_build([path], "O0"), read_build([path], "O2")


def names(functions):
    return [function.function for function in functions]


def test_functions_are_matched_by_name(builds):
    found = diff(*builds)
    assert names(found.queries) == names(found.targets) == ["line", "loop", "choose"]
    assert {function.view for function in found.queries} == {"O0"}
    assert {function.view for function in found.targets} == {"O2"}
    assert found.unmatched == []  # helper is gone at O2: it is no query


def test_what_only_the_second_build_has_is_in_the_pool(builds):
    found = diff(*reversed(builds))
    assert names(found.unmatched) == ["helper"]
    assert names(found.pool) == ["line", "loop", "choose", "helper"]


def test_blocks_are_counted_and_small_functions_may_be_left_out(builds):
    at_o0 = {function.function: blocks(function) for function in builds[0]}
    # loop: entry, condition, body, increment, end. choose: entry, three cases, end.
    assert at_o0 == {"line": 1, "loop": 5, "choose": 5, "helper": 1}
    found = diff(*builds, least_blocks=2)
    assert set(names(found.queries)) <= {"loop", "choose"}
    assert all(blocks(function) >= 2 for function in [*found.queries, *found.pool])


def test_sources_of_which_nothing_lowers_are_one_clear_line(tmp_path):
    path = tmp_path / "b.c"
    path.write_text("not C")
    with pytest.raises(OscarError, match=r"no function of .*b\.c at O1: b\.c"):
        read_build([path], "O1")


def test_a_stripped_function_keeps_all_but_names(builds):
    line = next(function for function in builds[0] if function.function == "line")
    stripped = without_names(line)
    assert any("@helper" in tokens for tokens in line.tokens)
    assert not any(token.startswith("@") for tokens in stripped.tokens for token in tokens)
    assert [tokens[-1] for tokens in stripped.tokens] == [tokens[-1] for tokens in line.tokens]
    assert stripped.instructions == line.instructions


def test_a_function_has_one_vector_whatever_is_asked_beside_it(builds, model_folder):
    functions = [*builds[0], *builds[0]]
    model = OscarModel.from_pretrained(model_folder)
    counts = function_vectors(functions, None, keep_names=False).toarray()
    for vectors in (counts, function_vectors(functions, model, keep_names=False)):
        assert vectors[:4] == pytest.approx(vectors[4:], abs=1e-5)
    named = function_vectors(builds[0], model, keep_names=True)
    assert abs(named - function_vectors(builds[0], model, keep_names=False)).max() > 1e-4
