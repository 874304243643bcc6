import numpy as np
import pytest
import torch

from finetune.data.descriptions import mine
from finetune.training.config import PairConfig
from finetune.training.pairs import Pairs, PairSteps
from ir_pipeline import open_corpus
from pretrain.config import TrainingError


@pytest.fixture(scope="module")
def pairs(commented_corpus):
    mined = mine(open_corpus(commented_corpus).all_rows())
    texts = np.arange(len(mined.pairs), dtype=np.float32)[:, None].repeat(3, axis=1)
    return Pairs.of(mined.pairs, texts)


def test_a_split_parts_the_pairs_and_keeps_equal_texts_together(pairs):
    train, held_out = pairs.split(0.3, seed=0)
    assert len(train) + len(held_out) == len(pairs)
    assert 2 <= len(held_out) <= 12
    assert not set(train.items.labels) & set(held_out.items.labels)
    texts = np.concatenate([train.texts, held_out.texts])[:, 0]
    assert sorted(texts) == list(range(len(pairs)))
    for number, label in zip(held_out.texts[:, 0], held_out.items.labels, strict=True):
        assert pairs.items.labels[int(number)] == label
    assert pairs.split(0.3, seed=1)[1].items.labels != held_out.items.labels


def test_a_step_holds_each_function_beside_its_description(pairs, commented_corpus, commented_rows):
    config = PairConfig(batch_size=8, token_budget=3000)
    step = PairSteps(pairs, commented_rows, config)[3]
    assert len(step.parts) > 1
    places = torch.cat([part.places for part in step.parts])
    assert sorted(places.tolist()) == list(range(8))
    names = sorted(set(pairs.items.labels))
    rows = list(open_corpus(commented_corpus).all_rows())
    for part in step.parts:
        moved = part.to(torch.device("cpu"))
        assert len(moved.texts) == len(moved) == len(moved.functions)
        for text, place, length in zip(
            moved.texts, moved.places, moved.functions.layout.lengths, strict=True
        ):
            number = int(text[0])
            assert names[int(step.labels[place])] == pairs.items.labels[number]
            views = [rows[view.rows[0]] for view in pairs.items.views[number]]
            assert int(length) in [view.n_instructions for view in views]


@pytest.mark.parametrize(("field", "value"), [("batch_size", 1), ("dim", 0), ("steps", 0)])
def test_options_out_of_range_are_refused_by_name(field, value):
    with pytest.raises(TrainingError, match=field):
        PairConfig(**{field: value})
