import pytest

from ir_pipeline.views.view_names import CORPUS_VIEWS, view_names
from static_analysis import OscarError


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        (1, ("O0",)),
        ("8", CORPUS_VIEWS),
        (["3"], ("O0", "O1", "O2")),
        (6, ("O0", "O1", "O2", "O3", "random-0", "random-1")),
        ("O2,O0", ("O2", "O0")),
        (["O0", "random-17", "O0"], ("O0", "random-17")),
        (20, ("O0", "O1", "O2", "O3", *(f"random-{i}" for i in range(16)))),
    ],
)
def test_views_by_number_or_name(asked, names):
    assert view_names(asked) == names


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        (3, ("O0", "O1", "O2")),
        (7, ("O0", "O1", "O2", "O3", "random-0", "opt-0", "random-1")),
        ("opt-4,O0", ("opt-4", "O0")),
    ],
)
def test_with_an_opt_every_second_random_view_is_its(asked, names):
    assert view_names(asked, with_opt=True) == names


def test_without_an_opt_its_views_are_refused():
    with pytest.raises(OscarError, match="opt-4 is made by LLVM's opt: name one with --opt"):
        view_names(["O0", "opt-4"])


@pytest.mark.parametrize("asked", [0, -1, [], "", "O4", "random", ["O0", "o1"], "random-x"])
def test_what_is_no_view_is_refused_in_one_line(asked):
    with pytest.raises(OscarError, match="O0, O1, O2, O3, random-N") as caught:
        view_names(asked)
    assert "\n" not in str(caught.value)
