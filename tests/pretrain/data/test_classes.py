import json
from hashlib import sha256
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networkx.utils import UnionFind

from ir_pipeline import build_corpus, open_corpus
from pretrain.config import TrainingError
from pretrain.data.classes import (
    FunctionClasses,
    check_size,
    function_classes,
    held_out,
)
from static_analysis import OscarError

NUMBERS = st.integers(0, 2**64 - 1)
HEADER = "static int twice(int x) { return 2 * x; }\n"


@pytest.fixture(scope="module")
def including(tmp_path_factory):
    """Two units with a static function of one header and a function of their own."""
    folder = tmp_path_factory.mktemp("including")
    (folder / "twice.h").write_text(HEADER)
    for name, body in (("a", "twice(x) + x * x"), ("b", "twice(x) / (x - 7)")):
        (folder / f"{name}.c").write_text(
            f'#include "twice.h"\nint {name}(int x) {{ return {body}; }}\n'
        )
    build_corpus([folder], folder / "corpus", views=["O0"], workers=1)
    return folder / "corpus"


def digits(letter: str) -> str:
    return sha256(letter.encode()).hexdigest()


@pytest.fixture
def corpus_of(corpus, tmp_path):
    """Builds a corpus of rows of one instruction from letters for their groups and hashes."""

    def build(*rows: tuple[str, str]) -> Path:
        groups, hashes = (list(map(digits, column)) for column in zip(*rows, strict=True))
        columns = {"group": groups, "hash": hashes, "n_instructions": [1] * len(rows)}
        pq.write_table(pa.table(columns), tmp_path / "part.parquet")
        manifest = open_corpus(corpus).manifest | {"shards": [{"file": "part.parquet"}]}
        (tmp_path / "manifest.json").write_text(json.dumps(manifest))
        return tmp_path

    return build


def test_a_header_function_of_two_units_is_one(including):
    batches = open_corpus(including).batches(["function", "group"])
    rows = [row for batch in batches for row in batch.to_pylist()]
    classes = function_classes(including)
    assert sorted(row["function"] for row in rows) == ["a", "b", "twice", "twice"]
    of_name = {name: set() for name in ("a", "b", "twice")}
    for row in rows:
        of_name[row["function"]].add(classes[row["group"]])
    assert len({row["group"] for row in rows}) == 4
    assert [len(found) for found in of_name.values()] == [1, 1, 1]
    assert len(classes) == 3


def test_groups_are_joined_over_any_view_and_on_from_group_to_group(corpus_of):
    rows = [("f", "1"), ("f", "2"), ("g", "3"), ("g", "2"), ("h", "3"), ("i", "4")]
    classes = function_classes(corpus_of(*rows))
    f, g, h, i = (classes[digits(group)] for group in "fghi")
    assert f == g == h != i


def test_a_class_is_numbered_by_its_content(corpus_of):
    before = function_classes(corpus_of(("f", "1"), ("f", "2"), ("g", "3")))[digits("f")]
    rows = [("e", "5"), ("h", "2"), ("f", "1"), ("h", "1"), ("g", "3")]
    assert function_classes(corpus_of(*rows))[digits("h")] == before


@given(rows=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 15)), min_size=1, max_size=30))
def test_classes_are_those_of_a_union_find(rows):
    joined = UnionFind()
    for group, view in rows:
        joined.union(("group", group), ("view", view))
    groups = np.array([group for group, _ in rows], np.uint64)
    views = np.array([2 * view + 7 for _, view in rows], np.uint64)
    classes = FunctionClasses(groups, views)
    wanted = {f"{group:016x}": joined["group", group] for group, _ in rows}
    found = {group: classes[group] for group in wanted}
    pairs = set(zip(found.values(), wanted.values(), strict=True))
    assert len(pairs) == len(set(found.values())) == len(set(wanted.values())) == len(classes)


@given(numbers=st.lists(NUMBERS, min_size=1), others=st.lists(NUMBERS), seed=st.integers(0, 99))
def test_what_is_held_out_does_not_depend_on_the_other_functions(numbers, others, seed):
    few, many = np.array(numbers, np.uint64), np.array([*others, *numbers], np.uint64)
    chosen = held_out((many >> np.uint64(1)).astype(np.int64), 0.3, seed)[len(others) :]
    assert np.array_equal(held_out((few >> np.uint64(1)).astype(np.int64), 0.3, seed), chosen)


def test_the_share_is_met_even_by_numbers_in_a_row_and_seeds_differ():
    numbers = np.arange(100_000)
    assert not held_out(numbers, 0, 1).any()
    assert held_out(numbers, 1, 1).all()
    first, second = (held_out(numbers, 0.1, seed) for seed in (0, 1))
    assert first.mean() == pytest.approx(0.1, abs=0.003)
    assert (first & second).mean() == pytest.approx(0.01, abs=0.002)


def test_too_few_functions_are_one_clear_error(corpus, corpus_of):
    check_size(corpus, 1)
    with pytest.raises(TrainingError, match=r"0 different .* \(16 views under 400 .*at least two"):
        check_size(corpus, 400)
    with pytest.raises(TrainingError, match=r"has 1 different functions; .* at least two"):
        check_size(corpus_of(("f", "1"), ("g", "1")), 1)
    with pytest.raises(TrainingError, match=r"8 different functions \(8 held out to validate on\)"):
        check_size(corpus, 1, 1.0)


def test_a_missing_corpus_is_refused(tmp_path):
    with pytest.raises(OscarError, match="no such corpus"):
        check_size(tmp_path / "nothing", 1)
