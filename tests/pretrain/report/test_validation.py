from dataclasses import replace

import numpy as np
import pytest
import torch

from ir_pipeline import open_corpus
from oscar.config import OscarConfig
from oscar.tokenizer import OscarTokenizer
from pretrain.config import TrainingConfig
from pretrain.data.classes import draws, held_out
from pretrain.data.encode import encode_corpus
from pretrain.objective.objective import build_objective
from pretrain.report.opcodes import OPCODE_CLASSES, opcode_class
from pretrain.report.validation import BEST, Validation, opcode_kinds, view_pairs
from static_analysis import opcode

HALF = TrainingConfig(
    validation_share=0.49,
    seed=2,
    instruction_weight=0.5,
    environment_weight=2.0,
    contrast_weight=3.0,
)


@pytest.fixture(scope="module")
def tokenizer(corpus):
    return OscarTokenizer.train(corpus)


@pytest.fixture(scope="module")
def shape(small, tokenizer):
    return replace(small, **tokenizer.config_fields())


@pytest.fixture(scope="module")
def encoded(corpus, tokenizer, shape, tmp_path_factory):
    folder = tmp_path_factory.mktemp("encoded")
    return encode_corpus(corpus, tokenizer, folder, shortest=1, shape=shape)


@pytest.fixture
def model(shape):
    torch.manual_seed(0)
    return build_objective(shape, HALF, torch.device("cpu"))


def test_pairs_are_of_held_out_functions_one_a_class_in_the_order_drawn(encoded):
    pairs = view_pairs(encoded, HALF)
    classes = np.array([encoded.classes[first] for first, _ in pairs])
    assert held_out(classes, 0.49, HALF.seed).all()
    assert 0 < len(set(classes.tolist())) == len(pairs) < 8
    assert (np.diff(draws(classes, HALF.seed).astype(float)) > 0).all()
    for first, last in pairs:
        assert encoded.groups[first] == encoded.groups[last]
        assert first < last
    assert view_pairs(encoded, replace(HALF, validation_functions=2)) == pairs[:2]


def test_nothing_held_out_gives_no_figures(encoded, tokenizer, shape, model):
    config = replace(HALF, validation_share=0.0)
    assert Validation(encoded, tokenizer, shape, config)(model) == {}


def test_figures_of_a_new_model(encoded, tokenizer, shape, model):
    validation = Validation(encoded, tokenizer, shape, HALF)
    figures = {name.removeprefix("validation/"): v for name, v in validation(model).items()}
    assert figures["pool"] == len(view_pairs(encoded, HALF)) > 2
    assert figures["mlm_instruction"] == pytest.approx(
        np.log(shape.instruction_vocab_size), rel=0.15
    )
    weighted = 0.5 * figures["mlm_instruction"] + 2.0 * figures["mlm_environment"]
    assert figures["loss"] == pytest.approx(weighted + 3.0 * figures["contrast"])
    assert BEST.removeprefix("validation/") in figures
    assert {"accuracy_memory", "accuracy_arithmetic", "accuracy_control"} <= figures.keys()
    shares = [v for name, v in figures.items() if name.startswith(("accuracy", "recall", "mrr"))]
    assert all(0 <= share <= 1 for share in shares)


def test_asking_changes_nothing_and_gives_the_same_again(encoded, tokenizer, shape, model):
    validation = Validation(encoded, tokenizer, shape, HALF)
    model.train()
    before = {name: part.clone() for name, part in model.state_dict().items()}
    first = validation(model)
    torch.manual_seed(5)
    assert validation(model) == first
    assert model.training
    assert all(torch.equal(part, before[name]) for name, part in model.state_dict().items())
    assert all(weight.grad is None for weight in model.parameters())


def test_small_batches_give_the_same_figures(encoded, tokenizer, shape, model):
    whole = Validation(encoded, tokenizer, shape, HALF)(model)
    few = Validation(encoded, tokenizer, shape, replace(HALF, token_budget=300))(model)
    assert few == pytest.approx(whole, rel=1e-4)


def test_a_model_that_makes_all_functions_alike_finds_none(encoded, tokenizer, shape, model):
    with torch.no_grad():
        model.encoder.model.function_encoder.layers.norm.weight.zero_()
        model.encoder.model.function_encoder.layers.norm.bias.fill_(1.0)
    figures = Validation(encoded, tokenizer, shape, HALF)(model)
    assert figures["validation/recall_at_1"] == 0
    assert figures["validation/mrr"] == pytest.approx(1 / figures["validation/pool"])


def test_accuracy_of_the_classes_is_that_of_the_streams_taken_apart(
    encoded, tokenizer, shape, model
):
    with torch.no_grad():  # whatever is asked, the first token is guessed
        for decoder in (model.decoder.instruction, model.decoder.environment):
            decoder.bias[10] = 1e4
    validation = Validation(encoded, tokenizer, shape, HALF)
    figures = validation(model)
    hits, counts = np.zeros(len(OPCODE_CLASSES)), np.zeros(len(OPCODE_CLASSES))
    for masked, kinds in validation.masked_batches():
        for stream, labels in (
            ("instruction", masked.instruction_labels),
            ("environment", masked.environment_labels),
        ):
            ids = labels[labels >= 0]
            np.add.at(counts, kinds[stream].numpy(), 1)
            np.add.at(hits, kinds[stream].numpy(), (ids == 10).numpy())
    for name, hit, count in zip(OPCODE_CLASSES, hits, counts, strict=True):
        if count:
            assert figures[f"validation/accuracy_{name}"] == pytest.approx(hit / count)
    assert counts.sum() == sum(
        int((labels >= 0).sum())
        for masked, _ in validation.masked_batches()
        for labels in (masked.instruction_labels, masked.environment_labels)
    )


def test_opcodes_are_read_off_the_ids(corpus, tokenizer):
    for row in open_corpus(corpus).rows("O0"):
        wanted = [opcode_class(opcode(tokens)) for tokens in row.tokens]
        found = opcode_kinds(tokenizer.encode(row), tokenizer)
        assert [OPCODE_CLASSES[number] for number in found] == wanted


def test_a_stream_that_is_left_out_has_no_figures(corpus, encoded, tokenizer, shape):
    alone: OscarConfig = replace(shape, streams="instructions")
    model = build_objective(alone, HALF, torch.device("cpu"))
    figures = Validation(encoded, tokenizer, alone, HALF)(model)
    assert "validation/mlm_environment" not in figures
    assert figures["validation/mlm_instruction"] > 0
