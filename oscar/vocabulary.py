"""Trains the vocabulary of one stream: byte-pair encoding for names and numbers, nothing else.

A token's class shows in its first character. Names, numbers and the numbered locals are spelled by
byte-pair encoding (Sennrich et al., ACL 2016); every other token is structural and has one id.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

SPECIAL = ("<pad>", "<unk>", "<mask>")
PAD, UNK, MASK = range(len(SPECIAL))
BOUNDARY = "▁"  # U+2581, put before each token so that pieces can be joined again
ALPHABET = [chr(code) for code in range(0x21, 0x7F)]
LEXICAL = re.compile(r"[@%#].+|[vlm]\d+")
MIN_PIECE_COUNT = 10
WORDS_FED = 2_000_000


def train_vocabulary(counts: Mapping[str, int], vocab_size: int) -> Tokenizer:
    """Build the tokenizer of one stream from the counts of its corpus tokens.

    Structural tokens get an id each, the most frequent first, but at most half of `vocab_size`;
    byte-pair merges fill the rest as far as pieces occur at least `MIN_PIECE_COUNT` times. All
    printable ASCII characters have an id, so any other token is spelled, never unknown.

    Args:
        counts: occurrences of each token; printable ASCII without white space.
        vocab_size: greatest number of ids.

    Returns:
        A Hugging Face tokenizer whose input is tokens separated by spaces; the same bytes for the
        same counts.
    """
    lexical = {token: n for token, n in counts.items() if LEXICAL.fullmatch(token)}
    structural = sorted(counts.keys() - lexical.keys(), key=lambda t: (-counts[t], t))
    entries = [*SPECIAL, BOUNDARY, *ALPHABET]
    room = vocab_size - len(entries)
    entries += [BOUNDARY + token for token in structural[: max(0, room // 2)]]
    merges = _merges(lexical, vocab_size - len(entries))
    entries += [left + right for left, right in merges]
    ids: dict[str, int] = {}
    for entry in entries:
        ids.setdefault(entry, len(ids))
    return _tokenizer(models.BPE(ids, merges, unk_token=SPECIAL[UNK], ignore_merges=True))


def _tokenizer(model: models.BPE) -> Tokenizer:
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(BOUNDARY, prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(BOUNDARY, prepend_scheme="always")
    tokenizer.add_special_tokens(list(SPECIAL))
    return tokenizer


def _merges(counts: Mapping[str, int], limit: int) -> list[tuple[str, str]]:
    """Give at most `limit` merges in the order they were learned."""
    if limit < 1 or not counts:
        return []
    tokenizer = _tokenizer(models.BPE())
    alphabet = [BOUNDARY, *ALPHABET]
    trainer = trainers.BpeTrainer(
        vocab_size=len(alphabet) + limit,
        min_frequency=MIN_PIECE_COUNT,
        initial_alphabet=alphabet,
        limit_alphabet=len(alphabet),
        show_progress=False,
    )
    tokenizer.train_from_iterator(_weighted(counts), trainer)
    learned: dict[str, Any] = json.loads(tokenizer.to_str())["model"]
    return [(left, right) for left, right in learned["merges"]]


def _weighted(counts: Mapping[str, int]) -> Iterator[str]:
    """Repeat each word by its count, scaled down where the whole would be too much to count."""
    scale = max(1, sum(counts.values()) / WORDS_FED)
    for word in sorted(counts):
        yield " ".join([word] * round(counts[word] / scale))
