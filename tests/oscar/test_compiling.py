import os
import subprocess
import sys

import pytest
import torch

from oscar.batching import collate

PROGRAM = """
import torch
from oscar import OscarConfig, OscarModel

model = OscarModel(OscarConfig.preset("tiny", instruction_vocab_size=20, environment_vocab_size=20))
network = model.function_encoder.layers.layers[0].feed_forward
before = network(torch.ones(2, 128))
print(model.compile_layers(), torch.equal(network(torch.ones(2, 128)), before))
"""


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # those of the compiler itself
def test_a_compiled_model_gives_the_same_embeddings_and_gradients(small_model, tokenizer, rows):
    plain, compiled = small_model(), small_model()
    assert compiled.compile_layers()
    assert compiled.state_dict().keys() == plain.state_dict().keys()
    for length in (2, 7):
        batch = collate([tokenizer.encode(row) for row in rows[:length]], plain.config)
        embeddings = [model(batch).embedding for model in (plain, compiled)]
        torch.testing.assert_close(*embeddings, atol=1e-5, rtol=1e-5)
        for embedding in embeddings:
            embedding.square().sum().backward()
        for one, other in zip(plain.parameters(), compiled.parameters(), strict=True):
            torch.testing.assert_close(one.grad, other.grad, atol=1e-4, rtol=1e-3)


@pytest.mark.slow
def test_without_a_compiler_one_line_says_so_and_the_model_runs_as_before(tmp_path):
    environment = {
        **os.environ,
        "PATH": "",
        "CXX": "nothing",
        "TORCHINDUCTOR_CACHE_DIR": str(tmp_path),
    }
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, env=environment
    )
    assert result.stdout.strip() == "False True"
    assert result.stderr.startswith("oscar: not compiled, running as it is (")
    assert result.stderr.count("\n") == 1
