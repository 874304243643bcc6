import subprocess
import sys
from pathlib import Path

import pytest
import torch
from rich.table import Table

from benchmarks.gpu_smoke import add_comparison, add_speed, flops_per_token
from ir_pipeline import build_corpus
from pretrain.config import TrainingConfig
from pretrain.train import train

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gpu_smoke")
    (folder / "sums.c").write_text(
        "int sum(const int *a, int n) { int s = 0; while (n--) s += a[n]; return s; }\n"
        "int twice(int x) { return 2 * x; }\n"
        "double half(double x) { return x / 2; }\n"
    )
    build_corpus([folder], folder / "corpus", views=["O0", "O2"], workers=1)
    return folder / "corpus"


def cells(table: Table) -> dict[str, str]:
    names, values = (list(column.cells) for column in table.columns)
    return dict(zip(names, values, strict=True))


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_without_a_gpu_it_says_so_in_one_line(tmp_path):
    command = [sys.executable, "-m", "benchmarks.gpu_smoke", str(tmp_path), "--out", str(tmp_path)]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, capture_output=True, text=True, cwd=root)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "no CUDA GPU" in done.stderr


def test_a_device_agrees_with_itself_and_bf16_nearly(corpus):
    table = Table()
    assert add_comparison(table, corpus, "tiny", CPU)
    found = cells(table)
    assert found["embeddings in float32, difference from CPU"] == "0.0e+00"
    assert found["gradients in float32, difference from CPU"] == "0.0e+00"
    assert 1e-4 < float(found["embeddings in bfloat16, difference from CPU"]) < 5e-2


@pytest.mark.slow
def test_operations_of_a_token_are_some_multiple_of_the_weights(corpus, tmp_path):
    config = TrainingConfig(steps=1, batch_size=2, validation_share=0, precision="fp32")
    train(corpus, tmp_path, config, preset="tiny")
    each = flops_per_token(corpus, tmp_path, config, CPU)
    # A layer of width H with a feed-forward network of 4H has 12 H² weights, two operations each;
    # a token passes a layer, forwards and backwards as a query and forwards as a key.
    layer = 2 * 12 * 128**2
    assert layer < each < 50 * layer


def test_the_second_half_of_a_training_tells_its_speed():
    lines = [
        {"step": step, "loss": 9.0 - step, "tokens_per_second": speed}
        for step, speed in enumerate([1.0, 2.0, 1000.0, 3000.0])
    ]
    table = Table()
    add_speed(table, lines, each=1e9, peak=1e13)
    assert cells(table)["tokens per second"] == "2,000"
    assert cells(table)["model FLOP utilisation"] == "20.0 %"
    unknown = Table()
    add_speed(unknown, lines, each=1e9, peak=None)
    assert "--peak-tflops" in cells(unknown)["model FLOP utilisation"]
