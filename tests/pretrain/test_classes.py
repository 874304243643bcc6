import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ir_pipeline import build_corpus, open_corpus
from pretrain.classes import check_size, function_classes, read_columns
from pretrain.config import TrainingError
from static_analysis import OscarError

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


@pytest.fixture
def corpus_of(corpus, tmp_path):
    """Builds a corpus of rows of one instruction from their groups and hashes."""

    def build(*rows: tuple[str, str]) -> Path:
        groups, hashes = zip(*rows, strict=True)
        columns = {"group": groups, "hash": hashes, "n_instructions": [1] * len(rows)}
        pq.write_table(pa.table(columns), tmp_path / "part.parquet")
        manifest = open_corpus(corpus).manifest | {"shards": [{"file": "part.parquet"}]}
        (tmp_path / "manifest.json").write_text(json.dumps(manifest))
        return tmp_path

    return build


def test_a_header_function_of_two_units_is_one(including):
    rows = [row for rows in read_columns(including, ["function", "group"]) for row in rows]
    classes = function_classes(including)
    assert sorted(row["function"] for row in rows) == ["a", "b", "twice", "twice"]
    of_name = {name: set() for name in ("a", "b", "twice")}
    for row in rows:
        of_name[row["function"]].add(classes[row["group"]])
    assert len({row["group"] for row in rows}) == 4
    assert [len(found) for found in of_name.values()] == [1, 1, 1]
    assert len(set(classes.values())) == 3


def test_groups_are_joined_over_any_view(corpus_of):
    classes = function_classes(
        corpus_of(("f", "1"), ("f", "2"), ("g", "3"), ("g", "2"), ("h", "4"))
    )
    assert classes["f"] == classes["g"] != classes["h"]


def test_joining_goes_on_from_group_to_group(corpus_of):
    classes = function_classes(
        corpus_of(("f", "1"), ("g", "2"), ("h", "1"), ("h", "2"), ("i", "3"))
    )
    assert classes["f"] == classes["g"] == classes["h"] != classes["i"]


def test_too_few_functions_are_one_clear_error(corpus, corpus_of):
    check_size(corpus, 1)
    with pytest.raises(TrainingError, match=r"0 different .* \(16 views under 400 .*at least two"):
        check_size(corpus, 400)
    with pytest.raises(TrainingError, match=r"has 1 different functions; .* at least two"):
        check_size(corpus_of(("f", "1"), ("g", "1")), 1)


def test_a_missing_corpus_is_refused(tmp_path):
    with pytest.raises(OscarError, match="no such corpus"):
        check_size(tmp_path / "nothing", 1)
