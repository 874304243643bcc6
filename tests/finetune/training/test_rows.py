"""Rows as a token level left them: the same embeddings, computed once, read by any process."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
import torch
from rich.console import Console

from finetune.training.items import Items, collate_items
from finetune.training.rows import EntryRows, keep_entries
from oscar import OscarModel
from pretrain.engine.world import World

ALONE, QUIET = World(0, 1, torch.device("cpu")), Console(quiet=True)


@pytest.fixture(scope="module")
def items(collection):
    return Items.of_programs(collection)


@pytest.fixture
def model(model_folder):
    return OscarModel.from_pretrained(model_folder)


@pytest.fixture
def kept(model, encoded, items, tmp_path):
    return keep_entries(model, encoded, items.rows, tmp_path, ALONE, QUIET)


def embeddings(model, rows, numbers):
    with torch.no_grad():
        return model(rows.batch(numbers)).embedding


def test_the_function_level_makes_the_same_of_kept_entries(model, encoded, items, kept):
    chosen = items.rows[::-2]
    expected = embeddings(model, encoded, chosen)
    # Kept in half precision, of which 11 bits are right.
    torch.testing.assert_close(embeddings(model, kept, chosen), expected, atol=5e-3, rtol=5e-3)
    assert model(kept.batch(chosen)).instruction_tokens is None


def test_sizes_are_the_entries_of_the_rows_that_were_kept(model, encoded, tmp_path):
    kept = keep_entries(model, encoded, np.array([4, 1]), tmp_path, ALONE, QUIET)
    lengths = [len(encoded.corpus[row]) for row in range(len(encoded.corpus))]
    assert kept.sizes.tolist() == [2 * n * (row in (1, 4)) for row, n in enumerate(lengths)]
    assert len(kept.batch([1]).vectors) == lengths[1]


@pytest.mark.parametrize("streams", ["instructions", "environment"])
def test_a_model_of_one_stream_keeps_one(model, streams, encoded, tmp_path):
    torch.manual_seed(0)
    shape = replace(model.config, streams=streams)
    alone, rows = OscarModel(shape).eval(), replace(encoded, shape=shape)
    kept = keep_entries(alone, rows, np.arange(3), tmp_path, ALONE, QUIET)
    assert kept.batch([0]).vectors.shape[1] == 1
    expected = embeddings(alone, rows, [2, 0])
    torch.testing.assert_close(embeddings(alone, kept, [2, 0]), expected, atol=5e-3, rtol=5e-3)


def test_a_second_call_opens_what_the_first_has_written(model, encoded, items, kept, tmp_path):
    (folder,) = tmp_path.iterdir()
    before = (folder / "vectors.npy").stat().st_mtime_ns
    model.function_encoder.cls.data.zero_()  # The function level does not matter.
    keep_entries(model, encoded, items.rows, tmp_path, ALONE, QUIET)
    assert (folder / "vectors.npy").stat().st_mtime_ns == before
    model.instruction_encoder.embedding.weight.data.zero_()
    keep_entries(model, encoded, items.rows, tmp_path, ALONE, QUIET)
    assert len(list(tmp_path.iterdir())) == 2


def test_what_a_killed_run_left_is_made_again(model, encoded, items, kept, tmp_path):
    (folder,) = tmp_path.iterdir()
    whole = (folder / "vectors.npy").read_bytes()
    (folder / "vectors.npy").write_bytes(whole[:500])
    folder.rename(folder.with_suffix(".incoming"))
    keep_entries(model, encoded, items.rows, tmp_path, ALONE, QUIET)
    assert (folder / "vectors.npy").read_bytes() == whole


def test_another_process_reads_the_same(kept, items):
    views = [views[0] for views in items.views[:2]]
    copy = pickle.loads(pickle.dumps(kept))
    assert isinstance(copy, EntryRows)
    one, other = (collate_items(views, [0, 1], rows).functions.vectors for rows in (kept, copy))
    assert torch.equal(one, other)


def test_only_the_function_level_learns_once_the_token_level_is_frozen(model, kept, items):
    model.freeze_token_level()
    model(kept.batch(items.rows[:3])).embedding.sum().backward()
    for name, weight in model.named_parameters():
        token_level = name.startswith(("instruction_encoder", "environment_encoder"))
        assert (weight.grad is None) == token_level, name
