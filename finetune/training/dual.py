"""Two encoders that meet: functions and descriptions as vectors that can be compared."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor, nn
from torch.nn.functional import normalize

from finetune.evaluation.matching import evaluate_matching
from finetune.text_encoder import TextEncoder
from finetune.training.items import ItemBatch
from finetune.training.judging import item_vectors
from finetune.training.loss import pair_loss
from finetune.training.model import TuningModel
from finetune.training.pairs import PairBatch, Pairs
from finetune.training.rows import Rows
from ir_pipeline.atomic import write_atomically
from oscar.embedding_file import fingerprint
from oscar.model import OscarModel
from static_analysis import OscarError

FACTS, HEADS = "search.json", "search.safetensors"
FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True)
class TextSide:
    """Which encoder reads the descriptions.

    Attributes:
        name: its package, or its folder when the model was trained.
        fingerprint: what tells it from others.
        size: numbers in its vectors.
    """

    name: str
    fingerprint: str
    size: int

    @classmethod
    def of(cls, encoder: TextEncoder) -> TextSide:
        """What is to be remembered of an encoder."""
        return cls(encoder.name, encoder.fingerprint, encoder.size)


class DualEncoder(TuningModel):
    """A function is read by an OscarModel, its description by a frozen encoder of sentences.

    A linear layer on each side brings both into one space (Radford et al., "CLIP", 2021).

    Args:
        encoder: reads functions.
        text: which encoder has read the descriptions.
        size: numbers in the vectors that are compared.
        temperature: of the contrastive loss.
    """

    def __init__(
        self, encoder: OscarModel, text: TextSide, size: int, temperature: float = 1.0
    ) -> None:
        super().__init__(encoder, temperature)
        self.text, self.size = text, size
        self.heads = nn.ModuleDict(
            {
                "code": nn.Linear(encoder.config.hidden_size, size),
                "text": nn.Linear(text.size, size),
            }
        )

    def vectors(self, batch: ItemBatch) -> Tensor:
        """Unit-length vectors of functions and of their descriptions, side by side.

        Args:
            batch: pairs.

        Returns:
            (pairs, 2 · size), so that what holds for a pair holds for one row.

        Raises:
            TypeError: the batch has no descriptions.
        """
        if not isinstance(batch, PairBatch):
            raise TypeError("a batch without descriptions")
        code = self.project("code", super().vectors(batch))
        return torch.cat([code, self.project("text", batch.texts)], dim=1)

    def project(self, side: str, vectors: Tensor) -> Tensor:
        """Unit-length vectors (n, size) to compare with those of the other side.

        Args:
            side: "code" or "text".
            vectors: of that side's encoder (n, dim).
        """
        projected: Tensor = self.heads[side](vectors)
        return normalize(projected.float(), dim=1)

    @torch.inference_mode()
    def compared(self, side: str, vectors: np.ndarray) -> np.ndarray:
        """The same of arrays."""
        there = torch.tensor(vectors, dtype=torch.float32, device=self.encoder.device)
        projected: np.ndarray = self.project(side, there).cpu().numpy()
        return projected

    def loss(self, vectors: Tensor, labels: Tensor) -> Tensor:
        """How far descriptions are from finding their functions, and the other way round."""
        code, text = vectors.chunk(2, dim=1)
        return pair_loss(text, code, labels, self.temperature)

    def save(self, folder: Path, facts: Mapping[str, Any]) -> None:
        """Write a model folder, and beside it the layers that make it searchable by words."""
        super().save(folder, facts)
        heads = {name: w.detach().cpu().contiguous() for name, w in self.heads.state_dict().items()}
        write_atomically(folder / HEADS, save(heads))
        search = {
            "format_version": FORMAT_VERSION,
            "model": fingerprint(folder),
            "size": self.size,
            "text": asdict(self.text),
        }
        write_atomically(folder / FACTS, json.dumps(search, indent=2).encode() + b"\n")

    @classmethod
    def load(cls, folder: Path) -> DualEncoder:
        """Read what `save` wrote, ready to search.

        Raises:
            OscarError: the folder holds no model, one that was not tuned for search, or parts that
                do not belong together.
        """
        encoder = OscarModel.from_pretrained(folder)
        search = _facts(folder)
        if search["model"] != fingerprint(folder):
            raise OscarError(f"{folder / FACTS} belongs to another model: copy the folder whole")
        dual = cls(encoder, TextSide(**search["text"]), search["size"])
        try:
            dual.heads.load_state_dict(load_file(folder / HEADS))
        except (OSError, SafetensorError, RuntimeError) as error:
            reason = str(error).splitlines()[-1].strip()
            raise OscarError(f"{folder / HEADS} cannot be read: {reason}") from None
        return dual.eval()


def _facts(folder: Path) -> dict[str, Any]:
    """What `save` said of a model.

    Raises:
        OscarError: it did not write this folder, or another version of it did.
    """
    try:
        search: dict[str, Any] = json.loads((folder / FACTS).read_text(encoding="utf-8"))
        if search["format_version"] == FORMAT_VERSION:
            return search
    except FileNotFoundError:
        raise OscarError(
            f"the model in {folder} knows no words: tune it with `oscar finetune code-search`"
        ) from None
    except (ValueError, KeyError, TypeError):
        pass
    raise OscarError(f"{folder / FACTS} is damaged or of another version: tune the model again")


def check_text_side(dual: DualEncoder, encoder: TextEncoder) -> None:
    """Accept the encoder that a model's descriptions were read with.

    Raises:
        OscarError: it is another one.
    """
    if encoder.fingerprint != dual.text.fingerprint:
        raise OscarError(
            f"the model was tuned with the text encoder {dual.text.name}, not this "
            f"{encoder.name}: name the right folder with --text"
        )


class PairScore:
    """MRR of held-out descriptions, each looking for its function among all held-out ones.

    Args:
        pairs: held out.
        rows: what their views are of.
    """

    def __init__(self, pairs: Pairs, rows: Rows) -> None:
        self._pairs, self._rows = pairs, rows

    def __call__(self, dual: DualEncoder) -> float:
        """The figure of a model."""
        read = item_vectors(dual.encoder, self._pairs.items, self._rows)
        texts = dual.compared("text", self._pairs.texts)
        return evaluate_matching(texts, dual.compared("code", read)).mrr
