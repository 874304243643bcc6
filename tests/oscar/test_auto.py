import subprocess
import sys

import pytest
import torch

from oscar.batching import collate
from oscar.model import OscarModel
from static_analysis.errors import OscarError


@pytest.fixture
def saved(small_model, tokenizer, tmp_path):
    small_model().save_pretrained(tmp_path, tokenizer)
    return tmp_path


def test_transformers_loads_the_same_model(saved, rows):
    transformers = pytest.importorskip("transformers")
    import oscar.auto  # noqa: F401

    loaded = transformers.AutoModel.from_pretrained(saved)
    model = OscarModel.from_pretrained(saved)
    batch = collate([loaded.tokenizer.encode(row) for row in rows], loaded.config)
    assert torch.equal(loaded(batch).embedding, model(batch).embedding)
    config = transformers.AutoConfig.from_pretrained(saved)
    assert (config.model_type, config.hidden_size) == ("oscar", model.config.hidden_size)


def test_options_that_would_load_it_otherwise_are_refused(saved):
    transformers = pytest.importorskip("transformers")
    import oscar.auto  # noqa: F401

    with pytest.raises(OscarError, match="loaded whole, without device_map: move or cast it"):
        transformers.AutoModel.from_pretrained(saved, device_map="cpu")


def test_without_transformers_one_line_says_what_to_do():
    program = "import sys; sys.modules['transformers'] = None; import oscar.auto"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "oscar.auto needs transformers: pip install transformers" in result.stderr
