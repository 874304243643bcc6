from collections import Counter

import numpy as np
import pytest

from finetune.training.builds import Builds, LevelScore
from ir_pipeline import build_corpus, open_corpus
from oscar import OscarModel

COPIES = """
int {0}(int);
int use_{0}(int n) {{ int s = 0; for (int i = 0; i < n; i++) s += {0}(i) + 1; return s; }}
"""


@pytest.fixture(scope="module")
def copies(tmp_path_factory):
    """Two functions that differ in the name of what they call, and one that no level changes."""
    folder = tmp_path_factory.mktemp("copies")
    (folder / "a.c").write_text(COPIES.format("read") + "void nothing(void) {}")
    (folder / "b.c").write_text(COPIES.format("write"))
    build_corpus([folder], folder / "corpus", views=["O0", "O1", "O3"], workers=1)
    return folder / "corpus"


@pytest.fixture(scope="module")
def builds(commented_corpus):
    return Builds.of(commented_corpus, keep_names=False)


def test_each_view_is_an_item_and_its_function_the_label(builds, commented_corpus):
    rows = list(open_corpus(commented_corpus).all_rows())
    assert len(builds) == 25
    groups = {}
    for label, (view,), level in zip(
        builds.items.labels, builds.items.views, builds.levels, strict=True
    ):
        assert view.weights.tolist() == [1]
        assert rows[view.rows[0]].view == level
        groups.setdefault(label, set()).add(rows[view.rows[0]].group)
    assert all(len(found) == 1 for found in groups.values())
    assert set(Counter(builds.items.labels).values()) == {2}


def test_functions_that_read_alike_are_one(copies):
    rows = list(open_corpus(copies).all_rows())
    named, stripped = (Builds.of(copies, keep_names) for keep_names in (True, False))
    assert (len(named), len(stripped)) == (2, 1)
    for builds in (named, stripped):
        read = [rows[view.rows[0]] for (view,) in builds.items.views]
        assert "nothing" not in {row.function for row in read}
    assert {row.unit for row in read} == {"a.c"}  # the copy has nothing to add


def test_ends_are_the_lowest_and_the_highest_level(copies):
    rows = list(open_corpus(copies).all_rows())
    lowest, highest = Builds.of(copies, keep_names=True).ends()
    assert lowest.labels == highest.labels
    assert {rows[view.rows[0]].view for (view,) in lowest.views} == {"O0"}
    assert {rows[view.rows[0]].view for (view,) in highest.views} <= {"O1", "O3"}


def test_a_function_is_held_out_with_all_its_views(builds):
    train, check = builds.split(0.3, seed=0)
    assert len(train) + len(check) == len(builds)
    assert 2 <= len(check) <= 14
    assert not set(train.items.labels) & set(check.items.labels)
    assert train.items.labels == train.classes.astype(str).tolist()
    assert set(builds.split(0.3, seed=1)[1].classes) != set(check.classes)


def test_the_score_is_recall_at_1_among_all_held_out(builds, commented_rows, model_folder):
    model = OscarModel.from_pretrained(model_folder)
    score = LevelScore(builds, commented_rows)
    assert len(score) == 25
    found = score(model)
    assert 0 <= found <= 1
    assert found * 25 == pytest.approx(round(found * 25))
    random = np.where(builds.levels == "O2", "random-0", builds.levels)
    assert len(LevelScore(Builds(builds.items, random, builds.classes), commented_rows)) == 0
