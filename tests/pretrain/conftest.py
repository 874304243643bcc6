from pathlib import Path

import numpy as np
import pytest

from ir_pipeline import build_corpus
from oscar.batching import collate
from oscar.config import OscarConfig
from oscar.encoded import EncodedFunction
from oscar.tokenizer import SPECIAL
from pretrain.engine.world import DEPRECATED, World, start


def pytest_configure(config: pytest.Config) -> None:
    # pytest forgets before each test what `start` has the interpreter ignore.
    config.addinivalue_line("filterwarnings", f"ignore:{DEPRECATED}:FutureWarning")


SOURCES = {
    "sums.c": """
        int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
        int largest(const int *a, int n) {
            int m = a[0];
            for (int i = 1; i < n; i++) if (a[i] > m) m = a[i];
            return m;
        }
        int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
    """,
    "words.c": """
        unsigned length(const char *s) { unsigned n = 0; while (s[n]) n++; return n; }
        void reverse(char *s, int n) {
            for (int i = 0, j = n - 1; i < j; i++, j--) { char c = s[i]; s[i] = s[j]; s[j] = c; }
        }
        int count(const char *s, char c) { int n = 0; for (; *s; s++) n += *s == c; return n; }
    """,
    "numbers.c": """
        unsigned gcd(unsigned a, unsigned b) {
            while (b) { unsigned t = a % b; a = b; b = t; }
            return a;
        }
        double power(double x, int n) { double y = 1; while (n-- > 0) y *= x; return y; }
    """,
}


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sources")
    for name, text in SOURCES.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture(scope="session")
def corpus(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight functions, each at O0 and O2."""
    folder = tmp_path_factory.mktemp("corpora") / "corpus"
    build_corpus([sources], folder, views=["O0", "O2"], workers=1)
    return folder


@pytest.fixture(scope="session")
def world() -> World:
    """This process, alone."""
    return start()


@pytest.fixture(scope="session")
def small() -> OscarConfig:
    """A model too small to be of use, but whole."""
    return OscarConfig(
        hidden_size=16,
        heads=2,
        ffn_size=32,
        token_layers=1,
        function_layers=1,
        decoder_layers=1,
        position_size=4,
        n_features=8,
        instruction_vocab_size=30,
        environment_vocab_size=20,
        max_instructions=64,
        dropout=0.0,
    )


class Functions(list[EncodedFunction]):
    """Encoded functions in memory, two views of each, in place of an `EncodedCorpus`."""

    def __init__(self, functions: list[EncodedFunction]) -> None:
        super().__init__(functions)
        self.groups = self.classes = np.arange(len(functions)) // 2
        self.sizes = np.array([function.size for function in functions])


@pytest.fixture(scope="session")
def melodies() -> Functions:
    """Six functions, each walking through the tokens in its own stride, forwards and backwards."""
    walks = [[3 + (start + i * (1 + start)) % 16 for i in range(14)] for start in range(6)]
    views = [view for walk in walks for view in (walk, walk[::-1])]
    return Functions(
        [
            EncodedFunction.of(
                [[token] for token in view],
                [[token] for token in view],
                [(i, i + 1, i + 1) for i in range(len(view))],
            )
            for view in views
        ]
    )


@pytest.fixture(scope="session")
def encode():
    """Builds straight-line functions from the numbers of tokens of their instructions."""

    def build(lengths: list[int]) -> EncodedFunction:
        first = len(SPECIAL)
        entries = [[first + (i + j) % 10 for j in range(n)] for i, n in enumerate(lengths)]
        positions = [(i, i + 1, i + 1) for i in range(len(lengths))]
        return EncodedFunction.of(entries, entries, positions)

    return build


@pytest.fixture(scope="session")
def batch_of(small: OscarConfig, encode):
    """Builds a batch of such functions."""
    return lambda *functions: collate([encode(list(lengths)) for lengths in functions], small)
