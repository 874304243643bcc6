"""OscarTokenizer: corpus tokens to ids and back, one vocabulary for each of the two streams."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
from tokenizers import Tokenizer

from ir_pipeline import open_corpus
from ir_pipeline.atomic import write_atomically
from ir_pipeline.corpus.reader import shard_batches
from oscar.encoded import EncodedFunction, streams
from oscar.vocabulary import BOUNDARY, MASK, PAD, SPECIAL, UNK, train_vocabulary
from static_analysis.errors import OscarError

__all__ = ["MASK", "PAD", "SPECIAL", "UNK", "OscarTokenizer", "StreamTokenizer"]

FILES = {
    "instruction": "instruction_tokenizer.json",
    "environment": "environment_tokenizer.json",
}
VOCAB_SIZE = 12_000
CACHE_LIMIT = 1 << 18  # different tokens remembered; a corpus has fewer but for its numbers


class StreamTokenizer:
    """The vocabulary of one stream; ids 0, 1 and 2 are PAD, UNK and MASK.

    Args:
        tokenizer: as `oscar.vocabulary.train_vocabulary` builds it.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._cache: dict[str, list[int]] = {}

    @property
    def size(self) -> int:
        """Number of ids."""
        return self._tokenizer.get_vocab_size()

    def encode(self, tokens: Iterable[str]) -> list[int]:
        """Give the ids of a list of tokens, one or more a token."""
        return [piece for token in tokens for piece in self._pieces(token)]

    def decode(self, ids: Sequence[int]) -> list[str]:
        """Give the list of tokens back that `encode` was given; special ids are left out."""
        pieces = (self._tokenizer.id_to_token(i) or "" for i in ids if i >= len(SPECIAL))
        return "".join(pieces).split(BOUNDARY)[1:]

    def to_json(self) -> str:
        """Give the tokenizer as the text of a Hugging Face `tokenizers` file."""
        return self._tokenizer.to_str(pretty=True)

    def _pieces(self, token: str) -> list[int]:
        pieces = self._cache.get(token)
        if pieces is None:
            if len(self._cache) >= CACHE_LIMIT:
                self._cache.clear()
            pieces = self._tokenizer.encode(token, add_special_tokens=False).ids or [UNK]
            self._cache[token] = pieces
        return pieces


class OscarTokenizer:
    """The tokenizers of the instruction and the environment stream.

    Args:
        instruction: tokenizer of the instruction stream.
        environment: tokenizer of the environment stream.
    """

    def __init__(self, instruction: StreamTokenizer, environment: StreamTokenizer) -> None:
        self.instruction = instruction
        self.environment = environment

    @classmethod
    def train(cls, corpus: str | Path, *, vocab_size: int = VOCAB_SIZE) -> "OscarTokenizer":
        """Train both vocabularies on a corpus; the same corpus gives the same bytes.

        Args:
            corpus: corpus folder.
            vocab_size: greatest number of ids of each stream; a small corpus gives fewer.

        Raises:
            OscarError: there is no corpus at that path, or it holds no function.
        """
        counts = count_tokens(open_corpus(Path(corpus)).shards)
        if not counts["tokens"]:
            raise OscarError(f"the corpus {corpus} holds no function: preprocess more sources")
        return cls.from_counts(counts["tokens"], counts["environment"], vocab_size=vocab_size)

    @classmethod
    def from_counts(
        cls,
        instruction: Mapping[str, int],
        environment: Mapping[str, int],
        *,
        vocab_size: int = VOCAB_SIZE,
    ) -> "OscarTokenizer":
        """Train both vocabularies on the counts of their tokens."""
        trained = (train_vocabulary(counts, vocab_size) for counts in (instruction, environment))
        return cls(*map(StreamTokenizer, trained))

    @classmethod
    def load(cls, folder: str | Path) -> "OscarTokenizer":
        """Read the two tokenizer files of a model folder.

        Raises:
            OscarError: a file is missing or is not a tokenizer.
        """
        return cls(*(_load(Path(folder) / name) for name in FILES.values()))

    def save(self, folder: str | Path) -> None:
        """Write the two tokenizer files into a folder, made if it is not there."""
        for stream, text in self._texts().items():
            write_atomically(Path(folder) / FILES[stream], text.encode())

    @property
    def hash(self) -> str:
        """Hash of the two files: a model works with the tokenizer of its hash and no other."""
        digest = hashlib.sha256()
        for text in self._texts().values():
            digest.update(text.encode())
        return digest.hexdigest()

    def config_fields(self) -> dict[str, Any]:
        """Give the fields of an OscarConfig that name this tokenizer."""
        return {
            "instruction_vocab_size": self.instruction.size,
            "environment_vocab_size": self.environment.size,
            "vocabulary": self.hash,
        }

    def encode(self, function: Any) -> EncodedFunction:
        """Encode a function: a corpus row, a `FunctionView` or an `AnalysedFunction`.

        Raises:
            OscarError: the function's streams are not of one length.
        """
        tokens, environment, positions = streams(function)
        return EncodedFunction.of(
            [self.instruction.encode(entry) for entry in tokens],
            [self.environment.encode(entry) for entry in environment],
            positions,
        )

    def _texts(self) -> dict[str, str]:
        return {
            "instruction": self.instruction.to_json(),
            "environment": self.environment.to_json(),
        }


def count_tokens(shards: Iterable[Path]) -> dict[str, Counter[str]]:
    """Count the tokens of each stream in the shards of a corpus, a batch of rows at a time."""
    counts: dict[str, Counter[str]] = {"tokens": Counter(), "environment": Counter()}
    for batch in shard_batches(shards, list(counts)):
        for column, counter in counts.items():
            found = pc.value_counts(batch.column(column).flatten().flatten())
            counter.update(dict(zip(*map(_plain, found.flatten()), strict=True)))
    return counts


def _plain(array: Any) -> list[Any]:
    values: list[Any] = array.to_pylist()
    return values


def _load(path: Path) -> StreamTokenizer:
    if not path.is_file():
        raise OscarError(f"no {path.name} in {path.parent}: give the folder of a trained model")
    try:
        return StreamTokenizer(Tokenizer.from_file(str(path)))
    except Exception as error:  # tokenizers raises a bare Exception for any fault of the file
        raise OscarError(f"{path} is not a tokenizer ({error}): save the model again") from None
