import numpy as np
from scipy.sparse import csr_matrix

from finetune.evaluation.similarity import neighbours


def test_ties_are_broken_by_index_and_the_query_is_left_out():
    assert neighbours(np.ones((4, 2))).tolist() == [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]


def test_rankings_do_not_depend_on_how_many_are_held_at_once(monkeypatch):
    vectors = np.random.default_rng(0).standard_normal((23, 3))
    whole = neighbours(vectors)
    monkeypatch.setattr("finetune.evaluation.similarity.QUERIES_AT_ONCE", 4)
    assert (neighbours(vectors) == whole).all()


def test_sparse_vectors_rank_as_dense_ones():
    vectors = np.random.default_rng(0).random((20, 30)).round(0)
    assert (neighbours(csr_matrix(vectors)) == neighbours(vectors)).all()
