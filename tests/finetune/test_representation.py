import numpy as np
import pytest

from finetune.composition import compose, reachable
from finetune.representation import program_vectors, untrained
from oscar import OscarModel, embed


@pytest.fixture(scope="module")
def model(model_folder):
    return OscarModel.from_pretrained(model_folder)


def unit(vector):
    return vector / np.linalg.norm(vector)


def test_a_program_is_what_its_functions_compose_to_averaged_over_views(model, collection):
    programs, vectors = program_vectors(model, collection)
    assert programs == collection.lowered
    for (_, rows), vector in zip(collection.rows(), vectors, strict=True):
        views = []
        for view in ("O0", "O2"):
            functions = [row for row in rows if row.view == view]
            views.append(unit(compose(embed(model, functions).vectors, reachable(functions))))
        assert vector == pytest.approx(unit(np.mean(views, axis=0)), abs=1e-5)


def test_views_may_be_chosen(model, collection):
    plain = program_vectors(model, collection, ["O0"])[1]
    optimised = program_vectors(model, collection, ["O2"])[1]
    assert np.abs(plain - optimised).max() > 1e-3
    assert np.linalg.norm(plain, axis=1) == pytest.approx(1)


def test_an_untrained_model_has_the_shape_and_other_weights(model, collection):
    fresh = untrained(model, seed=3)
    assert fresh.config == model.config
    assert fresh.tokenizer is model.tokenizer
    first, second = (program_vectors(untrained(model, 3), collection)[1] for _ in range(2))
    assert (first == second).all()
    assert np.abs(first - program_vectors(untrained(model, 4), collection)[1]).max() > 1e-3
