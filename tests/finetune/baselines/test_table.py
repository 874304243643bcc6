import numpy as np
import pytest

from finetune.baselines.table import LEARNED, UNLEARNED, baseline_vectors, read_words
from finetune.evaluation.retrieval import evaluate_retrieval


def vectors_of(baseline, collection, train=None):
    read, *known = (
        read_words(programs, [baseline])[baseline.words]
        for programs in (collection, train)
        if programs is not None
    )
    return read.programs, baseline_vectors(baseline, read, *known)


@pytest.mark.parametrize("name", UNLEARNED)
def test_every_unlearned_baseline_represents_what_it_can_read(collection, name):
    baseline = UNLEARNED[name]
    programs, vectors = vectors_of(baseline, collection)
    assert programs == (collection.lowered if baseline.needs_ir else collection.programs)
    assert vectors.shape[0] == len(programs)
    assert (vectors.sum(axis=1) > 0).all()
    figures = evaluate_retrieval(vectors, [program.label for program in programs])
    assert 0 < figures.map_at_r <= 1


def test_a_histogram_is_the_square_root_of_counts(collection):
    _, vectors = vectors_of(UNLEARNED["opcode histogram"], collection)
    lengths = [
        sum(row.n_instructions for row in rows if row.view == "O0") for _, rows in collection.rows()
    ]
    assert np.square(vectors.toarray()).sum(axis=1) == pytest.approx(lengths)


@pytest.mark.parametrize("name", LEARNED)
def test_every_learned_baseline_has_a_direction_fewer_than_labels(collection, name):
    programs, vectors = vectors_of(LEARNED[name], collection, collection)
    assert vectors.shape == (len(programs), 1)
    assert np.isfinite(vectors).all()


def test_a_learned_baseline_needs_something_to_learn_from(collection):
    with pytest.raises(ValueError, match="needs training programs"):
        vectors_of(next(iter(LEARNED.values())), collection)


def test_words_read_together_are_those_read_alone(collection):
    together = read_words(collection, [*UNLEARNED.values(), *LEARNED.values()])
    for baseline in LEARNED.values():
        alone = read_words(collection, [baseline])[baseline.words]
        assert together[baseline.words].programs == alone.programs
        assert (together[baseline.words].bag.table() != alone.bag.table()).nnz == 0
