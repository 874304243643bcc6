"""How many instructions a second a training step reads: ours, padded as the original, and a BERT.

    python -m benchmarks.training_throughput CORPUS [--preset small] [--steps 8] [--json FILE]
    python -m benchmarks.training_throughput CORPUS --lengths 4096 16384     # memory, too

A step is forward, backward and AdamW on the loss of masked tokens, 15 % of the entries of each
stream. All read the same functions and guess the same tokens:

- ours: only real tokens, groups that are alike once, decoding where something is hidden;
- padded: the same model with 32 slots for each instruction and 16 for each environment entry, as
  in the original; what does not fit is cut;
- bert: a BERT of `transformers` of as many weights, over the tokens of both streams in a row, 512
  at a time.

The steps take turns, and the figures are of all steps after the first two. Time is that of the
clock; of one thread its CPU time. Masking and batching are not timed, and freed memory is kept
(`oscar.memory`), as in training. Memory is the peak of a step over one function of that length,
made of those of the corpus, beyond what was taken before.
"""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import cyclopts
import numpy as np
import torch
from rich.table import Table

from benchmarks.parts.attention_cells import now
from benchmarks.parts.peak_memory import peak_growth
from benchmarks.parts.training_steps import Bert, Contender, Ours, Padded, parameters
from ir_pipeline import open_corpus
from oscar.batching import BatchStats
from oscar.commands.console import output
from oscar.config import OscarConfig
from oscar.decoder import MaskedTokenDecoder
from oscar.encoded import EncodedFunction, Entries
from oscar.memory import keep_freed_memory
from oscar.model import OscarModel
from oscar.tokenizer import OscarTokenizer
from pretrain.data.masking import MaskedBatch, mask_batch

RATE = 0.15
ORIGINAL_LIMIT = 511
"""The original cuts functions here; longer ones are left out, so that all read the same."""
WARM_UP = 2
MANY = cyclopts.Parameter(consume_multiple=True)


@dataclass
class Row:
    """One contender."""

    contender: str
    layers: str
    weights: int
    instructions_per_second: float
    times_ours: float
    tokens_per_second: float


@dataclass
class Memory:
    """A step over one long function."""

    instructions: int
    tokens: int
    extra_mb: float
    checkpointed_mb: float
    seconds: float


def main(
    corpus: Path,
    *,
    preset: str = "tiny",
    functions: int = 32,
    steps: int = 6,
    lengths: Annotated[list[int], MANY] = [],  # noqa: B006
    threads: int = 2,
    seed: int = 0,
    json_file: Annotated[Path | None, cyclopts.Parameter("--json")] = None,
) -> None:
    """Time training steps.

    Args:
        corpus: a corpus of oscar preprocess.
        preset: size of the model.
        functions: functions of a step.
        steps: steps that are timed.
        lengths: measure memory for functions of so many instructions.
        threads: threads of the CPU.
        seed: chooses functions, weights and hidden tokens.
        json_file: write the figures here, too.
    """
    torch.set_num_threads(threads)
    keep_freed_memory()
    tokenizer = OscarTokenizer.train(corpus)
    config = OscarConfig.preset(preset, **tokenizer.config_fields())
    encoded = [tokenizer.encode(row) for row in open_corpus(corpus).all_rows()]
    random.Random(seed).shuffle(encoded)
    short = [function for function in encoded if len(function) <= ORIGINAL_LIMIT]
    batches = list(_batches(short, functions, steps + WARM_UP))
    rows, stats = measure(batches, config, seed)
    output().print(_table(rows, stats, preset, threads))
    memory = [measure_memory(encoded, n, config, seed) for n in lengths]
    if memory:
        output().print(_memory_table(memory, preset))
    if json_file is not None:
        figures = {"steps": rows, "memory": memory}
        shown = {name: [asdict(row) for row in group] for name, group in figures.items()}
        json_file.write_text(json.dumps({**shown, "batches": asdict(stats)}, indent=2) + "\n")


def measure(
    batches: Sequence[list[EncodedFunction]], config: OscarConfig, seed: int
) -> tuple[list[Row], BatchStats]:
    """Let the contenders take turns in training on batches of functions."""
    contenders = build(config, seed)
    optimisers = {name: torch.optim.AdamW(c.parameters()) for name, c in contenders.items()}
    seconds = dict.fromkeys(contenders, 0.0)
    stats = BatchStats()
    for number, batch in enumerate(batches):
        masked = mask(batch, config, seed + number)
        timed = number >= WARM_UP
        stats += masked.batch.stats if timed else BatchStats()
        for name, contender in contenders.items():
            prepared = contender.prepare(batch, masked)
            start = now(torch.device("cpu"))
            step(contender, optimisers[name], prepared)
            seconds[name] += (now(torch.device("cpu")) - start) * timed
    return [
        Row(
            name,
            contender.layers,
            parameters(contender),
            stats.instructions / seconds[name],
            seconds[name] / seconds["ours"],
            stats.tokens / seconds[name],
        )
        for name, contender in contenders.items()
    ], stats


def build(config: OscarConfig, seed: int) -> dict[str, Contender]:
    """Build the contenders; the two that are one model start with the same weights."""
    pairs = []
    for _ in range(2):
        torch.manual_seed(seed)
        pairs.append((OscarModel(config), MaskedTokenDecoder(config)))
    ours, padded = Ours(*pairs[0]), Padded(*pairs[1])
    return {"ours": ours, "padded": padded, "bert": Bert(config, parameters(ours))}


def mask(functions: Sequence[EncodedFunction], config: OscarConfig, seed: int) -> MaskedBatch:
    """Hide what all contenders are to guess."""
    seeds = [seed * len(functions) + i for i in range(len(functions))]
    return mask_batch(functions, config, RATE, seeds)


def step(contender: Contender, optimiser: torch.optim.Optimizer, prepared: object) -> None:
    """Take one training step."""
    contender(prepared).backward()
    optimiser.step()
    optimiser.zero_grad()


def measure_memory(
    functions: Sequence[EncodedFunction], instructions: int, config: OscarConfig, seed: int
) -> Memory:
    """Measure a step over one function of that many instructions, plain and checkpointed."""
    long = joined(functions, instructions)
    masked = mask([long], config, seed)
    torch.manual_seed(seed)
    contender = Ours(OscarModel(config), MaskedTokenDecoder(config))
    optimiser = torch.optim.AdamW(contender.parameters())
    step(contender, optimiser, mask(functions[:1], config, seed))  # the optimiser takes its share
    cpu = torch.device("cpu")
    start = now(cpu)
    plain = peak_growth(lambda: step(contender, optimiser, masked), cpu)
    seconds = now(cpu) - start
    contender.model.gradient_checkpointing_enable()
    checkpointed = peak_growth(lambda: step(contender, optimiser, masked), cpu)
    return Memory(len(long), long.size, plain, checkpointed, seconds)


def joined(functions: Sequence[EncodedFunction], instructions: int) -> EncodedFunction:
    """Make one function of that many instructions of the functions, one after the other."""
    parts, places, start = [], [], 0
    while start < instructions:
        part = functions[len(parts) % len(functions)]
        parts.append(part)
        places.append(np.where(part.positions >= 0, part.positions + start, part.positions))
        start += len(part)
    streams = (_join([p.instruction for p in parts]), _join([p.environment for p in parts]))
    whole = EncodedFunction(*streams, np.concatenate(places))
    return EncodedFunction(
        *(_first(entries, instructions) for entries in (whole.instruction, whole.environment)),
        whole.positions[:instructions],
    )


def _join(parts: Sequence[Entries]) -> Entries:
    return Entries(
        np.concatenate([part.ids for part in parts]),
        np.concatenate([part.lengths for part in parts]),
    )


def _first(entries: Entries, count: int) -> Entries:
    return Entries(entries.ids[: entries.lengths[:count].sum()], entries.lengths[:count])


def _batches(
    functions: Sequence[EncodedFunction], size: int, count: int
) -> Iterator[list[EncodedFunction]]:
    """Give `count` batches, going round if there are too few functions."""
    for number in range(count):
        places = range(number * size, (number + 1) * size)
        yield [functions[place % len(functions)] for place in places]


def _table(rows: Sequence[Row], stats: BatchStats, preset: str, threads: int) -> Table:
    table = Table(
        title=f"training {preset} on masked tokens, {threads} threads",
        caption=(
            f"{stats.instructions:,} instructions, {stats.tokens:,} tokens; "
            f"{stats.duplicate_share:.1%} of the groups are copies, "
            f"{stats.padding_share:.1%} of the slots of ours padding"
        ),
    )
    for name in ("", "layers", "weights", "instructions/s", "tokens/s", "time / ours"):
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(
            row.contender,
            row.layers,
            f"{row.weights:,}",
            f"{row.instructions_per_second:,.0f}",
            f"{row.tokens_per_second:,.0f}",
            f"{row.times_ours:.2f}",
        )
    return table


def _memory_table(memory: Sequence[Memory], preset: str) -> Table:
    table = Table(title=f"a training step of {preset} over one function")
    for name in ("instructions", "tokens", "extra MB", "with checkpointing", "seconds"):
        table.add_column(name, justify="right")
    for row in memory:
        table.add_row(
            f"{row.instructions:,}",
            f"{row.tokens:,}",
            f"{row.extra_mb:,.0f}",
            f"{row.checkpointed_mb:,.0f}",
            f"{row.seconds:.1f}",
        )
    return table


if __name__ == "__main__":
    cyclopts.run(main)
