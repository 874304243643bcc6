"""Rows as a token level left them: the same embeddings, computed once, read by any process."""

import errno
import os
import pickle
from dataclasses import replace

import numpy as np
import pytest
import torch
from rich.console import Console

from finetune.training import rows as rows_module
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
    kept = keep_entries(model, encoded, np.array([1, 4]), tmp_path, ALONE, QUIET)
    lengths = [len(encoded.corpus[row]) for row in range(len(encoded.corpus))]
    assert kept.sizes.tolist() == [2 * n * (row in (1, 4)) for row, n in enumerate(lengths)]
    assert len(kept.batch([1]).vectors) == lengths[1]
    with pytest.raises(ValueError, match="not kept"):
        kept.batch([1, 2])


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
    before = (folder / "vectors.float16").stat().st_mtime_ns
    model.function_encoder.cls.data.zero_()  # The function level does not matter.
    keep_entries(model, encoded, items.rows, tmp_path, ALONE, QUIET)
    assert (folder / "vectors.float16").stat().st_mtime_ns == before
    model.config = replace(model.config, entry_dropout=0.5)  # Nor does how it is trained.
    keep_entries(model, encoded, items.rows, tmp_path, ALONE, QUIET)
    assert len(list(tmp_path.iterdir())) == 1
    model.instruction_encoder.embedding.weight.data.zero_()
    keep_entries(model, encoded, items.rows, tmp_path, ALONE, QUIET)
    assert len(list(tmp_path.iterdir())) == 2


def test_what_a_killed_run_left_is_made_again(model, encoded, items, kept, tmp_path):
    (folder,) = tmp_path.iterdir()
    whole = (folder / "vectors.float16").read_bytes()
    (folder / "vectors.float16").write_bytes(whole[:500])
    folder.rename(folder.with_suffix(".incoming"))
    keep_entries(model, encoded, items.rows, tmp_path, ALONE, QUIET)
    assert (folder / "vectors.float16").read_bytes() == whole


def test_processes_that_share_the_work_leave_what_one_leaves(
    model, encoded, items, kept, tmp_path, monkeypatch
):
    """The other comes in while the first waits for it."""

    class Shared(World):
        def wait(self):
            if self.leads:
                next(turns)()

        def any(self, flag):
            return flag

    first, second = (Shared(rank, 2, torch.device("cpu")) for rank in range(2))
    (folder,) = tmp_path.iterdir()
    alone = np.fromfile(folder / "vectors.float16", np.float16)
    folder.rename(tmp_path.parent / "alone")
    arguments = (model, encoded, items.rows, tmp_path)

    def other():
        monkeypatch.setattr(rows_module, "EntryRows", lambda *_: None)
        keep_entries(*arguments, second, QUIET)
        monkeypatch.undo()

    turns = iter([other, lambda: None, lambda: None])
    keep_entries(*arguments, first, QUIET)
    # What a row is batched with may change its last bit.
    shared = np.fromfile(folder / "vectors.float16", np.float16)
    assert shared == pytest.approx(alone, abs=4e-3)


def test_a_full_disk_is_an_error_before_the_work(model, encoded, items, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(OSError, match="No space"):
        keep_entries(model, encoded, items.rows, tmp_path, ALONE, QUIET)


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
