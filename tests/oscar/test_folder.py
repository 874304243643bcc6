import copy
import json
import pickle

import pytest
import torch
from safetensors.torch import load_file

from oscar.batching import collate
from oscar.model import OscarModel
from oscar.tokenizer import OscarTokenizer
from static_analysis.errors import OscarError

FILES = [
    "README.md",
    "config.json",
    "environment_tokenizer.json",
    "instruction_tokenizer.json",
    "model.safetensors",
]


@pytest.fixture
def saved(small_model, tokenizer, tmp_path):
    model = small_model()
    model.save_pretrained(tmp_path, tokenizer, training={"steps": 12})
    return model, tmp_path


def test_a_loaded_model_gives_the_same_bits(saved, rows):
    model, folder = saved
    assert sorted(path.name for path in folder.iterdir()) == FILES
    loaded = OscarModel.from_pretrained(folder)
    assert not loaded.training
    assert loaded.config == model.config
    batch = collate([loaded.tokenizer.encode(row) for row in rows], loaded.config)
    assert torch.equal(loaded(batch).embedding, model(batch).embedding)


def test_a_loaded_model_can_be_copied_and_sent(saved, rows):
    _, folder = saved
    loaded = OscarModel.from_pretrained(folder)
    for twin in (copy.deepcopy(loaded), pickle.loads(pickle.dumps(loaded))):
        assert twin.tokenizer.encode(rows[0]) == loaded.tokenizer.encode(rows[0])


def test_random_features_are_saved(saved):
    model, folder = saved
    names = [name for name in load_file(folder / "model.safetensors") if "directions" in name]
    layers = 2 * model.config.token_layers + model.config.function_layers
    assert len(names) == layers


def test_saving_again_replaces_the_files_and_leaves_others(saved, tokenizer):
    model, folder = saved
    (folder / "metrics.jsonl").write_text("{}")
    with torch.no_grad():
        model.function_encoder.cls += 1
    model.save_pretrained(folder, tokenizer)
    assert sorted(path.name for path in folder.iterdir()) == sorted([*FILES, "metrics.jsonl"])
    loaded = OscarModel.from_pretrained(folder)
    assert torch.equal(loaded.function_encoder.cls, model.function_encoder.cls)


@pytest.mark.parametrize("name", [name for name in FILES if name != "README.md"])
def test_a_missing_file_is_named(saved, name):
    _, folder = saved
    (folder / name).unlink()
    with pytest.raises(OscarError, match=f"no {name} in .*: give the folder of a trained model"):
        OscarModel.from_pretrained(folder)


def test_a_missing_folder_is_refused(tmp_path):
    with pytest.raises(OscarError, match=r"no config.json in .*nowhere"):
        OscarModel.from_pretrained(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"colour": "red"}, "unknown config field colour"),
        ({"environment_version": "env-0"}, "reads environment version env-0, this program writes"),
        ({"vocabulary": "0" * 64}, "vocabulary is 000000000000, the tokenizer's is .*: use the"),
        ({"ffn_size": 50}, "model.safetensors does not fit its config.json: size mismatch"),
    ],
)
def test_a_config_that_does_not_fit_is_refused(saved, change, message):
    _, folder = saved
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, **change}))
    with pytest.raises(OscarError, match=message) as caught:
        OscarModel.from_pretrained(folder)
    assert "\n" not in str(caught.value)


def test_damaged_weights_are_refused(saved):
    _, folder = saved
    (folder / "model.safetensors").write_bytes(b"not weights")
    with pytest.raises(OscarError, match=r"model\.safetensors is damaged"):
        OscarModel.from_pretrained(folder)


def test_another_tokenizer_is_not_saved_with_the_model(small_model, counts, tmp_path):
    other = OscarTokenizer.from_counts(counts[0], {"only": 1})
    with pytest.raises(OscarError, match="use the tokenizer files that were saved with the model"):
        small_model().save_pretrained(tmp_path, other)
    assert not list(tmp_path.iterdir())
