import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oscar.embedding import Embeddings, FunctionName, unit_length
from oscar.embedding_file import Origin, read_embeddings, write_embeddings
from oscar.index import Index
from static_analysis import OscarError

ORIGIN = Origin("run", "fingerprint", "0")


def embeddings(vectors) -> Embeddings:
    vectors = np.asarray(vectors, np.float32)
    names = [
        FunctionName("p", f"u{i}.c", f"f{i}", f"g{i}", "O0", None, i) for i in range(len(vectors))
    ]
    return Embeddings(names, vectors)


def random_vectors(n: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, 16)).astype(np.float32)


@given(st.integers(1, 40), st.integers(1, 50), st.integers(0, 99))
def test_exact_neighbours_are_those_of_the_full_score_matrix(n, k, seed):
    vectors = random_vectors(n, seed)
    queries = random_vectors(3, seed + 1)
    found = Index.build(embeddings(vectors), ORIGIN).nearest(queries, k)
    scores = unit_length(queries) @ unit_length(vectors).T
    for row, neighbours in zip(scores, found, strict=True):
        assert [x.score for x in neighbours] == pytest.approx(np.sort(row)[::-1][:k], abs=1e-6)


def test_ties_keep_the_order_of_the_input():
    (found,) = Index.build(embeddings(np.ones((4, 2))), ORIGIN).nearest(np.ones((1, 2)), 3)
    assert [x.function.function for x in found] == ["f0", "f1", "f2"]


def test_an_index_survives_being_saved(tmp_path):
    index = Index.build(embeddings(random_vectors(30)), ORIGIN)
    index.save(tmp_path / "index")
    loaded = Index.load(tmp_path / "index")
    assert loaded.origin == ORIGIN
    assert loaded.nearest(random_vectors(2, 5), 4) == index.nearest(random_vectors(2, 5), 4)


def test_the_approximate_index_finds_nearly_all_true_neighbours(tmp_path):
    pytest.importorskip("faiss", reason="the extra faiss is not installed")
    data, queries = embeddings(random_vectors(2000)), random_vectors(50, 9)
    Index.build(data, ORIGIN, approximate=True).save(tmp_path / "index")
    approximate = Index.load(tmp_path / "index").nearest(queries, 10)
    exact = Index.build(data, ORIGIN).nearest(queries, 10)
    shared = [
        len({x.function for x in a} & {x.function for x in b})
        for a, b in zip(approximate, exact, strict=True)
    ]
    assert np.mean(shared) > 8


def test_embeddings_survive_being_saved_bit_for_bit(tmp_path):
    written = embeddings(random_vectors(7))
    write_embeddings(tmp_path / "e.parquet", written, ORIGIN)
    read, origin = read_embeddings(tmp_path / "e.parquet")
    assert (read.functions, origin) == (written.functions, ORIGIN)
    assert read.vectors.dtype == np.float32
    assert np.array_equal(read.vectors, written.vectors)


def test_units_are_means_of_unit_length_vectors():
    units = [("p", "a"), ("p", "b"), ("p", "a"), ("q", "a")]
    functions = [FunctionName(*unit, "f", "g", "O0", None, 1) for unit in units]
    vectors = np.array([[2, 0], [0, 5], [0, 3], [7, 0]], np.float32)
    found, means = Embeddings(functions, vectors).by_unit()
    assert found == [("p", "a"), ("p", "b"), ("q", "a")]
    assert means.tolist() == [[0.5, 0.5], [0, 1], [1, 0]]


def test_files_of_others_are_refused(tmp_path):
    file = tmp_path / "e.parquet"
    with pytest.raises(OscarError, match="there is no file"):
        read_embeddings(file)
    file.write_text("not parquet")
    with pytest.raises(OscarError, match="holds no embeddings"):
        read_embeddings(file)
    with pytest.raises(OscarError, match="is not an index"):
        Index.load(tmp_path)
    with pytest.raises(OscarError, match="choose another --out"):
        Index.build(embeddings(random_vectors(3)), ORIGIN).save(tmp_path)


@pytest.mark.parametrize("facts", ["{}", "[]", '{"name": "my site"}', '{"format_version": 1}'])
def test_a_folder_with_anything_but_an_index_is_left_alone(tmp_path, facts):
    (tmp_path / "index.json").write_text(facts)
    (tmp_path / "thesis.txt").write_text("precious")
    with pytest.raises(OscarError, match="choose another --out"):
        Index.build(embeddings(random_vectors(3)), ORIGIN).save(tmp_path)
    assert (tmp_path / "thesis.txt").read_text() == "precious"


def test_a_path_that_is_not_utf_8_can_be_written(tmp_path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/e\xff.parquet"))
    write_embeddings(path, embeddings(random_vectors(3)), ORIGIN)
    assert len(read_embeddings(path)[0].functions) == 3


def test_an_index_of_another_format_is_refused(tmp_path):
    Index.build(embeddings(random_vectors(3)), ORIGIN).save(tmp_path / "index")
    (tmp_path / "index" / "index.json").write_text(json.dumps({"format_version": 99}))
    with pytest.raises(OscarError, match="another format version"):
        Index.load(tmp_path / "index")
