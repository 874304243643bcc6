"""Properties of the whole model: what an embedding depends on, and what it does not."""

import copy
from dataclasses import replace

import pytest
import torch

from oscar.batching import collate
from oscar.model import OscarModel

VARIANTS = pytest.mark.parametrize(
    "overrides",
    [
        {},
        {"token_attention": "softmax", "pooling": "attention"},
        {"function_attention": "softmax", "pooling": "first"},
        {"token_attention": "softmax", "function_attention": "softmax", "rpe": None},
        {"token_attention": "favor+", "function_attention": "favor+", "rpe": None, "pce": False},
        {"token_attention": "relu", "rpe": "clipped", "algorithm": "band"},
        {"function_attention": "hyperbolic", "rpe": "free", "max_tokens": 99, "algorithm": "fft"},
        {"rpe": "alibi", "algorithm": "scan", "group_size": 3},
        {"rpe": None, "algorithm": "linear", "group_size": 1},
        {"rpe": "kerple", "algorithm": "reference_fft", "sequence": "separate"},
        {"sequence": "separate", "pooling": "first", "algorithm": "dense"},
        {"streams": "instructions", "pooling": "attention"},
        {"streams": "environment", "sequence": "separate", "pooling": "first", "pce": False},
    ],
    ids=lambda overrides: " ".join(f"{k}={v}" for k, v in overrides.items()) or "default",
)


@pytest.fixture
def embeddings(tokenizer):
    def run(model, rows):
        batch = collate([tokenizer.encode(row) for row in rows], model.config)
        with torch.inference_mode():
            return model(batch).embedding

    return run


@VARIANTS
def test_batch_mates_padding_and_order_change_nothing(small_model, rows, embeddings, overrides):
    model = small_model(**overrides)
    together = embeddings(model, rows)
    assert together.shape == (len(rows), 32)
    alone = torch.cat([embeddings(model, [row]) for row in rows])
    backwards = embeddings(model, rows[::-1]).flip(0)
    torch.testing.assert_close(together, alone, atol=1e-5, rtol=0)
    torch.testing.assert_close(together, backwards, atol=1e-5, rtol=0)
    assert torch.pdist(together).min() > 1e-3


@VARIANTS
def test_two_runs_give_equal_bits(small_model, rows, embeddings, overrides):
    first, second = (embeddings(small_model(**overrides), rows) for _ in range(2))
    assert torch.equal(first, second)


def test_shapes_of_the_output(small_model, tokenizer, rows):
    model = small_model()
    batch = collate([tokenizer.encode(row) for row in rows[:3]], model.config)
    output = model(batch)
    assert output.instruction_states.shape == output.environment_states.shape == (18, 32)
    assert output.instruction_tokens.shape == (*batch.instruction.tokens.shape, 32)
    assert output.environment_tokens.shape == (*batch.environment.tokens.shape, 32)


@pytest.mark.parametrize("streams", ["instructions", "environment"])
def test_a_stream_that_is_not_read_has_no_weights_and_changes_nothing(
    small_model, rows, embeddings, streams
):
    model = small_model(streams=streams)
    other = "environment" if streams == "instructions" else "tokens"
    assert not any(other in name for name in model.state_dict())
    changed = {**rows[0], other: [["v0"] for _ in rows[0][other]]}
    assert torch.equal(embeddings(model, [rows[0]]), embeddings(model, [changed]))


@VARIANTS
def test_every_weight_takes_part(small_model, tokenizer, rows, overrides):
    model = small_model(**overrides)
    output = model(collate([tokenizer.encode(row) for row in rows], model.config))
    output.embedding.square().sum().backward()
    unused = [name for name, weight in model.named_parameters() if weight.grad is None]
    assert not unused
    assert all(weight.grad.isfinite().all() for weight in model.parameters())


def test_both_streams_and_each_position_reach_the_embedding(small_model, rows, embeddings):
    model = small_model()
    row = rows[0]
    before = embeddings(model, [row])
    swapped = [*row["tokens"][1:2], *row["tokens"][:1], *row["tokens"][2:]]
    changes = [
        {"tokens": swapped},
        {"environment": [["v0", "<-", "m9"], *row["environment"][1:]]},
        *({f"{kind}_positions": [3, *row[f"{kind}_positions"][1:]]} for kind in ("true", "false")),
        {"true_positions": [*row["true_positions"][:-1], -2]},
    ]
    for change in changes:
        assert (embeddings(model, [{**row, **change}]) - before).abs().max() > 1e-5


def test_without_pce_positions_are_not_read(small_model, rows, embeddings):
    model = small_model(pce=False)
    row = rows[0]
    moved = {**row, "true_positions": row["true_positions"][::-1]}
    assert torch.equal(embeddings(model, [row]), embeddings(model, [moved]))


def test_autocast_gives_nearly_the_same_embedding(small_model, rows, embeddings):
    model = small_model()
    exact = embeddings(model, rows)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        half = embeddings(model, rows)
    cosine = torch.nn.functional.cosine_similarity(exact, half.float())
    assert cosine.min() > 0.99


def test_learns_to_tell_functions_apart(small_model, tokenizer, rows):
    """A few steps of training reach a target embedding for each of two functions."""
    model = small_model().train()
    batch = collate([tokenizer.encode(row) for row in rows[:2]], model.config)
    target = torch.nn.functional.normalize(torch.randn(2, 32), dim=1)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(60):
        embedding = torch.nn.functional.normalize(model(batch).embedding, dim=1)
        loss = (embedding - target).square().sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss < 0.01


def test_a_copy_holds_the_same_weights_and_its_own(small_model, rows, embeddings):
    model = small_model()
    twin = copy.deepcopy(model)
    assert torch.equal(embeddings(model, rows), embeddings(twin, rows))
    with torch.no_grad():
        twin.function_encoder.cls += 1
    assert not torch.equal(embeddings(model, rows), embeddings(twin, rows))


def test_seeded_construction_is_reproducible(small_config):
    states = []
    for _ in range(2):
        torch.manual_seed(3)
        states.append(OscarModel(replace(small_config(), dropout=0.1)).state_dict())
    assert all(torch.equal(states[0][name], states[1][name]) for name in states[0])
