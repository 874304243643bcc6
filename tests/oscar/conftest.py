"""Small functions in memory, so that the model is tested without a compiler."""

import random
from collections import Counter
from itertools import chain

import pytest
import torch

from oscar.config import OscarConfig
from oscar.model import OscarModel
from oscar.tokenizer import OscarTokenizer


@pytest.fixture(autouse=True)
def same_torch():
    """One thread, and the same random numbers for each test."""
    torch.set_num_threads(1)
    torch.manual_seed(0)


@pytest.fixture(scope="session")
def make_row():
    """Make a corpus row of n instructions: arithmetic, a branch now and then, a return."""

    def make(n: int, seed: int = 0) -> dict:
        rng = random.Random(seed)
        tokens, environment, targets = [], [], []
        for i in range(n):
            opcode = rng.choice(["add", "load", "store", "call", "icmp"])
            words = [f"v{i}", "=", opcode, "i32", f"v{rng.randrange(i + 1)}", ","]
            symbol = [f"@{rng.choice(['list', 'node', 'sum', 'insert'])}", "</func>"]
            tokens.append(words + (symbol if opcode == "call" else [f"#{rng.randrange(-99, 999)}"]))
            environment.append([f"v{i}", "<-", f"m{rng.randrange(4)}", "=", opcode])
            branch = rng.random() < 0.2
            targets.append((rng.randrange(n), rng.randrange(n)) if branch else (i + 1, i + 1))
        targets[-1] = (-1, -1)
        return {
            "tokens": tokens,
            "environment": environment,
            "own_positions": list(range(n)),
            "true_positions": [true for true, _ in targets],
            "false_positions": [false for _, false in targets],
        }

    return make


@pytest.fixture(scope="session")
def rows(make_row):
    """Functions of many lengths, one instruction included."""
    return [make_row(n, seed=n) for n in (12, 1, 5, 30, 8, 3, 17)]


@pytest.fixture(scope="session")
def counts(rows):
    """Occurrences of the tokens of each stream."""
    streams = ("tokens", "environment")
    return [Counter(chain.from_iterable(e for row in rows for e in row[s])) for s in streams]


@pytest.fixture(scope="session")
def tokenizer(counts):
    return OscarTokenizer.from_counts(*counts)


@pytest.fixture(scope="session")
def small_config(tokenizer):
    """A model of a few thousand weights with every part of the real ones."""

    def make(**overrides) -> OscarConfig:
        sizes = {
            "hidden_size": 32,
            "heads": 2,
            "ffn_size": 48,
            "position_size": 4,
            "n_features": 16,
            "max_instructions": 40,
        }
        return OscarConfig.preset("tiny", **{**sizes, **tokenizer.config_fields(), **overrides})

    return make


@pytest.fixture
def small_model(small_config):
    """An untrained model with weights large enough for its parts to matter, ready to embed."""

    def make(**overrides) -> OscarModel:
        torch.manual_seed(0)
        model = OscarModel(small_config(**overrides))
        with torch.no_grad():
            for parameter in model.parameters():
                parameter += 0.2 * torch.randn_like(parameter)
        return model.eval()

    return make
