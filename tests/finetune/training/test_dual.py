import json
import shutil

import numpy as np
import pytest
import torch
from torch.nn.functional import normalize

from finetune.data.descriptions import mine
from finetune.text_encoder import TextEncoder
from finetune.training.config import PairConfig
from finetune.training.dual import DualEncoder, PairScore, TextSide, check_text_side
from finetune.training.pairs import Pairs, PairSteps
from ir_pipeline import open_corpus
from oscar import OscarModel, embed
from static_analysis import OscarError


@pytest.fixture(scope="module")
def encoder(text_folder):
    return TextEncoder(text_folder)


@pytest.fixture(scope="module")
def pairs(commented_corpus, encoder):
    mined = mine(open_corpus(commented_corpus).all_rows())
    return Pairs.of(mined.pairs, encoder.encode(mined.texts))


@pytest.fixture
def dual(model_folder, encoder):
    torch.manual_seed(0)
    return DualEncoder(
        OscarModel.from_pretrained(model_folder), TextSide.of(encoder), size=16, temperature=0.1
    )


def test_a_row_is_the_function_and_its_description_in_one_space(
    dual, pairs, commented_rows, commented_corpus
):
    step = PairSteps(pairs, commented_rows, PairConfig(batch_size=5))[0]
    (batch,) = step.parts
    with torch.no_grad():
        code, text = dual.eval().vectors(batch).chunk(2, dim=1)
    torch.testing.assert_close(text, normalize(dual.heads["text"](batch.texts), dim=1))
    torch.testing.assert_close(code.norm(dim=1), torch.ones(5))
    every = embed(dual.encoder, open_corpus(commented_corpus).all_rows()).vectors
    known = dual.compared("code", every / np.linalg.norm(every, axis=1, keepdims=True))
    assert (code.numpy() @ known.T).max(axis=1) == pytest.approx(np.ones(5), abs=1e-5)


def test_gradients_of_the_batches_of_a_step_add_up_to_those_of_the_step(
    dual, pairs, commented_rows
):
    dual = dual.eval()
    whole = PairSteps(pairs, commented_rows, PairConfig(batch_size=6))[2]
    cut = PairSteps(pairs, commented_rows, PairConfig(batch_size=6, token_budget=2000))[2]
    assert len(cut.parts) > 1
    weights = [*dual.parameters()]
    loss = dual(whole.parts[0], whole.labels)
    expected = torch.autograd.grad(loss, weights, allow_unused=True)
    with torch.no_grad():
        known = torch.zeros(6, 32)
        for part in cut.parts:
            known = known.index_copy(0, part.places, dual.vectors(part))
    sums = [None] * len(weights)
    for part in cut.parts:
        found = torch.autograd.grad(dual(part, cut.labels, known), weights, allow_unused=True)
        sums = [
            a if b is None else b if a is None else a + b for a, b in zip(sums, found, strict=True)
        ]
    for ours, theirs in zip(sums, expected, strict=True):
        if theirs is not None:
            torch.testing.assert_close(ours, theirs, rtol=1e-3, atol=1e-5)


@pytest.mark.slow
def test_a_few_steps_bring_pairs_together(model_folder, pairs, commented_rows):
    some = [number for number in range(24) if number % 6 in (2, 5)]
    few = Pairs(pairs.items.chosen(some), np.eye(8, dtype=np.float32))
    torch.manual_seed(0)
    dual = DualEncoder(OscarModel.from_pretrained(model_folder), TextSide("", "", 8), 16, 0.1)
    steps = PairSteps(few, commented_rows, PairConfig(batch_size=8))
    score = PairScore(few, commented_rows)
    before = score(dual)
    optimiser = torch.optim.AdamW(dual.parameters(), 3e-3)
    losses = []
    for number in range(30):
        (batch,) = steps[number].parts
        optimiser.zero_grad()
        loss = dual(batch, steps[number].labels)
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] - 0.7
    assert score(dual) > before + 0.15


def test_what_is_saved_is_read_again(dual, encoder, tmp_path):
    dual.save(tmp_path, {"steps": 3})
    again = DualEncoder.load(tmp_path)
    assert (again.text, again.size, again.training) == (TextSide.of(encoder), 16, False)
    vectors = torch.randn(4, 32).numpy()
    assert (again.compared("text", vectors) == dual.compared("text", vectors)).all()
    assert OscarModel.from_pretrained(tmp_path).tokenizer is not None
    check_text_side(again, encoder)
    assert "steps" in (tmp_path / "README.md").read_text()


def test_parts_that_do_not_belong_together_are_refused(dual, model_folder, tmp_path):
    tuned = tmp_path / "tuned"
    dual.save(tuned, {})
    with pytest.raises(OscarError, match="knows no words: tune it"):
        DualEncoder.load(model_folder)
    mixed = tmp_path / "mixed"
    shutil.copytree(tuned, mixed)
    torch.manual_seed(7)
    other = OscarModel(dual.encoder.config)
    other.save_pretrained(mixed, dual.encoder.tokenizer)
    with pytest.raises(OscarError, match="belongs to another model"):
        DualEncoder.load(mixed)
    facts = json.loads((tuned / "search.json").read_text())
    for broken in ({**facts, "format_version": 99}, [], {}):
        (tuned / "search.json").write_text(json.dumps(broken))
        with pytest.raises(OscarError, match="damaged or of another version"):
            DualEncoder.load(tuned)
    (tuned / "search.json").write_text(json.dumps(facts))
    (tuned / "search.safetensors").write_bytes(b"nothing")
    with pytest.raises(OscarError, match="cannot be read"):
        DualEncoder.load(tuned)


def test_another_text_encoder_is_refused(dual, text_folder, tmp_path):
    shutil.copytree(text_folder, tmp_path / "other")
    config = json.loads((tmp_path / "other" / "config.json").read_text())
    config["layer_norm_eps"] = 1e-5
    (tmp_path / "other" / "config.json").write_text(json.dumps(config))
    with pytest.raises(OscarError, match="was tuned with the text encoder"):
        check_text_side(dual, TextEncoder(tmp_path / "other"))
