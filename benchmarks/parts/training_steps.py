"""One training step on masked tokens, by three ways to read the same functions."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from benchmarks.parts.padded_model import WINDOWS, PaddedModel, pad_stream
from oscar.config import OscarConfig
from oscar.decoder import MaskedTokenDecoder
from oscar.encoded import EncodedFunction
from oscar.model import OscarModel
from pretrain.data.masking import IGNORED, MaskedBatch

BERT_TOKENS = 512


def parameters(module: nn.Module) -> int:
    """Number of weights."""
    return sum(weight.numel() for weight in module.parameters())


class Contender(nn.Module, ABC):
    """A way to compute the loss on hidden tokens: mean cross entropy of each stream, added.

    Attributes:
        layers: what it consists of, for the table.
    """

    layers: str

    @abstractmethod
    def prepare(self, functions: Sequence[EncodedFunction], masked: MaskedBatch) -> Any:
        """Give what `forward` wants of functions and their masked batch; not timed."""

    @abstractmethod
    def forward(self, prepared: Any) -> Tensor:
        """Give the loss."""


class Ours(Contender):
    """The model as it is trained."""

    def __init__(self, model: OscarModel, decoder: MaskedTokenDecoder) -> None:
        super().__init__()
        self.model, self.decoder = model, decoder
        self.layers = _layers(model.config)

    def prepare(self, functions: Sequence[EncodedFunction], masked: MaskedBatch) -> MaskedBatch:
        """Take the masked batch as it is."""
        return masked

    def forward(self, prepared: MaskedBatch) -> Tensor:
        """Give the loss."""
        labels = (prepared.instruction_labels, prepared.environment_labels)
        targets = [part != IGNORED for part in labels]
        logits = self.decoder(self.model, self.model(prepared.batch), prepared.batch, *targets)
        first, second = map(_mean, logits, labels, targets)
        return first + second


class Padded(Contender):
    """The same model over fixed windows, each group as often as it occurs."""

    def __init__(self, model: OscarModel, decoder: MaskedTokenDecoder) -> None:
        super().__init__()
        self.padded = PaddedModel(model, decoder)
        self.layers = _layers(model.config)

    def prepare(self, functions: Sequence[EncodedFunction], masked: MaskedBatch) -> Any:
        """Pad the two streams; give the position codes of the functions, too."""
        k = self.padded.model.config.group_size
        batch = masked.batch
        instruction = pad_stream(
            batch.instruction.ids,
            masked.instruction_labels,
            [function.instruction for function in functions],
            WINDOWS[0],
            k,
        )
        environment = pad_stream(
            batch.environment.ids,
            masked.environment_labels,
            [function.environment for function in functions],
            WINDOWS[1],
            k,
        )
        return (instruction, environment), [function.positions for function in functions]

    def forward(self, prepared: Any) -> Tensor:
        """Give the loss."""
        loss: Tensor = self.padded(*prepared)
        return loss


class Bert(Contender):
    """A BERT of `transformers` over the tokens of both streams in a row, 512 at a time.

    It has as many layers as give it the weights of ours. An instruction's tokens are followed by
    those of its environment entry; the two vocabularies are one. Only hidden tokens are guessed.

    Args:
        config: gives the width, the heads and the vocabularies.
        weights: how many weights to have.
    """

    def __init__(self, config: OscarConfig, weights: int) -> None:
        super().__init__()
        self.shift = config.instruction_vocab_size
        none, one = (parameters(_bert(config, layers)) for layers in (0, 1))
        layers = max(1, round((weights - none) / (one - none)))
        self.layers = str(layers)
        self.bert = _bert(config, layers)

    def prepare(
        self, functions: Sequence[EncodedFunction], masked: MaskedBatch
    ) -> tuple[Tensor, Tensor]:
        """Give ids and labels, (sequences, 512)."""
        batch = masked.batch
        owners = torch.cat([2 * batch.instruction.owners, 2 * batch.environment.owners + 1])
        order = owners.argsort(stable=True)
        ids = torch.cat([batch.instruction.ids, batch.environment.ids + self.shift])
        moved = masked.environment_labels + self.shift
        moved = moved.where(masked.environment_labels != IGNORED, IGNORED)
        labels = torch.cat([masked.instruction_labels, moved])
        return _rows(ids[order], 0), _rows(labels[order], IGNORED)

    def forward(self, prepared: tuple[Tensor, Tensor]) -> Tensor:
        """Give the loss, one mean over both streams."""
        ids, labels = prepared
        targets = labels != IGNORED
        states = self.bert.bert(input_ids=ids).last_hidden_state[targets]
        return F.cross_entropy(self.bert.cls(states), labels[targets])


def _layers(config: OscarConfig) -> str:
    return f"2 · {config.token_layers} + {config.function_layers} + 2 · {config.decoder_layers}"


def _bert(config: OscarConfig, layers: int) -> Any:
    from transformers import BertConfig, BertForMaskedLM

    return BertForMaskedLM(
        BertConfig(
            vocab_size=config.instruction_vocab_size + config.environment_vocab_size,
            hidden_size=config.hidden_size,
            num_attention_heads=config.heads,
            intermediate_size=config.ffn_size,
            num_hidden_layers=layers,
            max_position_embeddings=BERT_TOKENS,
            hidden_dropout_prob=config.dropout,
            attention_probs_dropout_prob=config.dropout,
        )
    )


def _rows(flat: Tensor, empty: int) -> Tensor:
    return F.pad(flat, (0, -len(flat) % BERT_TOKENS), value=empty).reshape(-1, BERT_TOKENS)


def _mean(logits: Tensor, labels: Tensor, targets: Tensor) -> Tensor:
    return F.cross_entropy(logits, labels[targets])
