"""What several storeys' tests share: a little C project, its corpus and an untrained model."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

# Read by torch when a test first loads it: threads of a small machine's few cores only fight.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# A machine that does other things too is slow at times, which is no fault of what is tested.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

# A shell's background job ignores Ctrl-C, and so would the programs that its tests start.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

PROJECT = {
    "sum.c": """
        // SPDX-License-Identifier: MIT
        /* Adds up the first n numbers. */
        int sum(const int *numbers, int n) {
            int total = 0;
            for (int i = 0; i < n; i++)
                total += numbers[i];
            return total;
        }
        int product(const int *numbers, int n) {
            int result = 1;
            while (n-- > 0)
                result *= *numbers++;
            return result;
        }
    """,
    "sign.cpp": """
        namespace maths {
        int sign(double x) { return x < 0 ? -1 : x > 0; }
        }
        extern "C" unsigned clamp(unsigned x, unsigned low, unsigned high) {
            if (x < low) return low;
            return x > high ? high : x;
        }
    """,
}


@pytest.fixture(scope="session")
def data():
    """The folder of data sets that are not part of this repository."""
    folder = Path(os.environ.get("OSCAR_DATA", Path(__file__).parents[2] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no data sets at {folder}: set OSCAR_DATA to where they are")
    return folder


@pytest.fixture(scope="session")
def project(tmp_path_factory):
    """A folder with a C and a C++ file, two functions each."""
    folder = tmp_path_factory.mktemp("project")
    for name, text in PROJECT.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def corpus(project, tmp_path_factory):
    """The project as a corpus, a few views a function."""
    from ir_pipeline import build_corpus

    out = tmp_path_factory.mktemp("corpus") / "corpus"
    build_corpus([project], out)
    return out


@pytest.fixture(scope="session")
def model_folder(corpus, tmp_path_factory):
    """An untrained model with tokenizers trained on the corpus, saved as a model folder."""
    import torch

    from oscar import OscarConfig, OscarModel, OscarTokenizer

    torch.manual_seed(0)
    tokenizer = OscarTokenizer.train(corpus)
    folder = tmp_path_factory.mktemp("model") / "run"
    config = OscarConfig.preset("tiny", **tokenizer.config_fields())
    OscarModel(config).save_pretrained(folder, tokenizer)
    return folder
