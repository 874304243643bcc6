"""Is all well on this GPU? Compare it with the CPU, train a while, say how much of it is used.

    python -m benchmarks.gpu_smoke CORPUS --out FOLDER [--minutes M] [--preset base]

CORPUS is any corpus of `oscar preprocess` with some hundred functions. Three checks, one command:
embeddings and gradients of the GPU are those of the CPU; the preset trains in bf16 with a loss
that falls; tokens per second, and model FLOP utilisation: the matrix products of the steps taken,
forwards and backwards, against what the device can do at most.
"""

import shutil
import sys
from itertools import islice
from pathlib import Path

import cyclopts
import torch
from rich.table import Table

from benchmarks.parts.devices import compare
from benchmarks.parts.flops import count_flops, peak_flops
from ir_pipeline import open_corpus
from oscar.commands.console import output
from oscar.config import OscarConfig
from oscar.model import OscarModel
from oscar.tokenizer import OscarTokenizer
from pretrain.config import TrainingConfig
from pretrain.data.batches import Batches
from pretrain.data.encode import encode_corpus
from pretrain.objective.objective import build_objective
from pretrain.report.metrics import Figures, read_metrics
from pretrain.train import train

COMPARED = 32
"""Functions in the comparison with the CPU."""

TOLERANCES = {torch.float32: 1e-3, torch.bfloat16: 5e-2}
"""How far embeddings may be from the CPU's, relative to their size."""


def main(
    corpus: Path,
    /,
    *,
    out: Path,
    minutes: float = 3,
    preset: str = "base",
    peak_tflops: float | None = None,
) -> None:
    """Compare with the CPU, train, and measure.

    Args:
        corpus: what to read.
        out: folder of the training; it is emptied first.
        minutes: of training.
        preset: size of the model.
        peak_tflops: what the device can do, in units of 10¹² operations per second, where its name
            is not known here.
    """
    if not torch.cuda.is_available():
        sys.exit("gpu_smoke: torch sees no CUDA GPU here, and this benchmark is about one")
    torch.backends.cuda.matmul.allow_tf32 = False
    device, name = torch.device("cuda"), torch.cuda.get_device_name()
    table = Table(title=f"{name}, {preset}", title_justify="left", show_header=False)
    sound = add_comparison(table, corpus, preset, device)
    config = TrainingConfig(
        steps=1_000_000, minutes=minutes, precision="bf16", schedule="constant", batch_size=256
    )
    shutil.rmtree(out, ignore_errors=True)
    train(corpus, out, config, preset=preset)
    lines = read_metrics(out / "metrics.jsonl")
    sound &= lines[-1]["loss"] < lines[0]["loss"]
    peak = 1e12 * peak_tflops if peak_tflops else peak_flops(name)
    add_speed(table, lines, flops_per_token(corpus, out, config, device), peak)
    output().print(table)
    sys.exit(0 if sound else "gpu_smoke: a comparison failed, or the loss did not fall")


def add_comparison(table: Table, corpus: Path, preset: str, device: torch.device) -> bool:
    """Add how far the device is from the CPU; tells whether it is near enough."""
    tokenizer = OscarTokenizer.train(corpus)
    shape = OscarConfig.preset(preset, **tokenizer.config_fields(), dropout=0.0)
    opened = open_corpus(corpus)
    rows = islice(opened.rows(opened.views[0]), COMPARED)
    functions = [tokenizer.encode(row) for row in rows]
    torch.manual_seed(0)
    model, sound = OscarModel(shape), True
    for dtype, tolerance in TOLERANCES.items():
        found = compare(model, functions, torch.device("cpu"), device, dtype)
        kind = str(dtype).removeprefix("torch.")
        table.add_row(f"embeddings in {kind}, difference from CPU", f"{found.embedding:.1e}")
        table.add_row(f"gradients in {kind}, difference from CPU", f"{found.gradient:.1e}")
        sound &= found.embedding < tolerance
    return sound


def flops_per_token(corpus: Path, run: Path, config: TrainingConfig, device: torch.device) -> float:
    """Operations of a training step of the run's model for each token it reads."""
    tokenizer = OscarTokenizer.load(run)
    shape = OscarModel.from_pretrained(run).config
    encoded = encode_corpus(
        corpus, tokenizer, run / "encoded", shortest=config.min_instructions, shape=shape
    )
    step = Batches(encoded, shape, config)[0]
    model = build_objective(shape, config, device)

    def take_step() -> None:
        parts = [part.to(device) for part in step.parts]
        with torch.autocast(device.type, torch.bfloat16):
            with torch.no_grad():
                model.contrast.begin(parts, step.classes.to(device))
            for part in parts:
                model(part)["loss"].backward()

    return count_flops(take_step) / step.counts["tokens"]


def add_speed(table: Table, lines: list[Figures], each: float, peak: float | None) -> None:
    """Add what the training reached, from the second half of its lines."""
    late = lines[len(lines) // 2 :]
    tokens = sum(line["tokens_per_second"] for line in late) / len(late)
    table.add_row("loss, first and last", f"{lines[0]['loss']:.2f}, {lines[-1]['loss']:.2f}")
    table.add_row("steps", f"{lines[-1]['step']:,.0f}")
    table.add_row("tokens per second", f"{tokens:,.0f}")
    table.add_row("operations per token", f"{each:.3g}")
    if peak is None:
        table.add_row("model FLOP utilisation", "peak unknown: give --peak-tflops")
    else:
        table.add_row("model FLOP utilisation", f"{100 * tokens * each / peak:.1f} %")


if __name__ == "__main__":
    cyclopts.run(main)
