"""The same model, computed as the original does: fixed windows of 32 and 16 tokens, all on padding.

Each instruction has 32 slots and each environment entry 16; what does not fit is cut. Groups are
encoded as often as they occur, every group goes through the decoder, and the function level is
padded to the longest function of the batch.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from oscar.decoder import MaskedTokenDecoder, StreamDecoder
from oscar.encoded import Entries
from oscar.encoder import TokenEncoder
from oscar.groups import grouped
from oscar.layers import TransformerLayer, TransformerStack
from oscar.model import OscarModel
from oscar.pce import CLS_ENVIRONMENT, CLS_INSTRUCTION, KINDS, table_rows
from oscar.tokenizer import PAD
from pretrain.data.masking import IGNORED

WINDOWS = (32, 16)


@dataclass(frozen=True)
class PaddedStream:
    """Groups of a stream, (groups, K · window): tokens, labels, and which slots are real."""

    tokens: Tensor
    labels: Tensor
    real: Tensor


def pad_stream(
    ids: Tensor, labels: Tensor, functions: Sequence[Entries], window: int, group_size: int
) -> PaddedStream:
    """Put tokens into windows, one for each entry.

    Args:
        ids: (t,) ids of the functions' tokens, one function after the other.
        labels: (t,) their labels.
        functions: the stream's entries of each function, for their lengths.
        window: slots of an entry.
        group_size: K.
    """
    lengths = np.concatenate([entries.lengths for entries in functions])
    groups, slots = grouped(np.array([len(entries) for entries in functions]), group_size)
    place = np.arange(len(ids)) - np.repeat(lengths.cumsum() - lengths, lengths)
    slot = np.repeat((groups * group_size + slots) * window, lengths) + place
    kept, slot = torch.from_numpy(place < window), torch.from_numpy(slot[place < window])
    shape = (int(groups[-1]) + 1, group_size * window)
    result = []
    for values, empty in ((ids, PAD), (labels, IGNORED), (torch.ones_like(ids), 0)):
        padded = torch.full(shape, empty)
        padded.view(-1)[slot] = values[kept]
        result.append(padded)
    return PaddedStream(result[0], result[1], result[2] > 0)


class PaddedModel(nn.Module):
    """An OscarModel and its decoder, over padded tensors.

    Args:
        model: the model, with both streams in one sequence.
        decoder: its decoder.
    """

    def __init__(self, model: OscarModel, decoder: MaskedTokenDecoder) -> None:
        super().__init__()
        self.model, self.decoder = model, decoder

    def forward(self, streams: Sequence[PaddedStream], codes: Sequence[np.ndarray]) -> Tensor:
        """Give the loss: mean cross entropy of the hidden tokens of each stream, added.

        Args:
            streams: the instruction and the environment stream.
            codes: position codes (n, 3) of each function.
        """
        encoders = (self.model.instruction_encoder, self.model.environment_encoder)
        decoders = (self.decoder.instruction, self.decoder.environment)
        k = self.model.config.group_size
        encoded = [_encode(*pair, k) for pair in zip(encoders, streams, strict=True)]
        lengths = [len(part) for part in codes]
        real = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
        groups, slots = (torch.from_numpy(x) for x in grouped(np.array(lengths), k))
        rows = torch.zeros(real.shape, dtype=torch.int64)
        rows[real] = groups * k + slots
        entries = torch.stack([vectors[rows] for _, vectors in encoded], dim=2)
        states = self._function_level(entries, real, codes)
        losses = []
        for number, (stream, decoder, encoder) in enumerate(
            zip(streams, decoders, encoders, strict=True)
        ):
            tokens = encoded[number][0]
            ordered = tokens.new_zeros(len(tokens) * k, tokens.shape[-1])
            ordered = ordered.index_copy(0, rows[real], states[:, :, number][real])
            x = tokens + ordered.unflatten(0, (-1, k)).repeat_interleave(WINDOWS[number], dim=1)
            losses.append(_loss(decoder, x, stream, encoder.embedding.weight))
        return losses[0] + losses[1]

    def _function_level(self, entries: Tensor, real: Tensor, codes: Sequence[np.ndarray]) -> Tensor:
        """Give the states (B, L, 2, H) of entries (B, L, 2, H)."""
        encoder = self.model.function_encoder
        entries = entries + encoder.stream_type
        cls = (encoder.cls + encoder.stream_type).expand(len(entries), -1, -1)
        x = torch.cat([cls, entries.flatten(1, 2)], dim=1)
        mask = F.pad(real.repeat_interleave(2, dim=1), (2, 0), value=True)
        positions = torch.zeros(*real.shape, len(KINDS), dtype=torch.int64)
        for row, part in zip(positions, codes, strict=True):
            row[: len(part)] = torch.from_numpy(table_rows(part, len(part)))
        first = torch.tensor([CLS_INSTRUCTION, CLS_ENVIRONMENT])[None, :, None]
        first = first.expand(len(x), -1, len(KINDS))
        positions = torch.cat([first, positions.repeat_interleave(2, dim=1)], dim=1)
        conditions = ()
        if encoder.positions is not None:
            pair = encoder.positions(positions.flatten(0, 1), real.shape[1])
            conditions = tuple(y.unflatten(0, mask.shape).transpose(1, 2) for y in pair)
        return _stack(encoder.layers, x, mask, conditions)[:, 2:].unflatten(1, (-1, 2))


def _encode(encoder: TokenEncoder, stream: PaddedStream, k: int) -> tuple[Tensor, Tensor]:
    """Give token states (groups, T, H) and the mean of each entry, (groups · K, H)."""
    window = stream.tokens.shape[1] // k
    slots = torch.arange(k).repeat_interleave(window)
    places = torch.arange(window).repeat(k)
    x = encoder.embedding(stream.tokens) + encoder.slot_embedding(slots)
    states = _stack(encoder.layers, x + encoder.place_embedding(places), stream.real)
    states = states * stream.real[..., None]
    sums = states.unflatten(1, (k, window)).sum(2).flatten(0, 1)
    counts = stream.real.unflatten(1, (k, window)).sum(2).flatten(0, 1)
    return states, sums / counts.clamp(min=1)[:, None]


def _stack(
    stack: TransformerStack, x: Tensor, mask: Tensor, conditions: tuple[Tensor, ...] = ()
) -> Tensor:
    for layer in stack.layers:
        assert isinstance(layer, TransformerLayer)
        x = x + layer.attention(layer.attention_norm(x), mask, *conditions)
        x = x + layer.feed_forward(x)
    normed: Tensor = stack.norm(x)
    return normed


def _loss(decoder: StreamDecoder, x: Tensor, stream: PaddedStream, embedding: Tensor) -> Tensor:
    targets = stream.labels != IGNORED
    decoded = _stack(decoder.layers, x, stream.real)[targets]
    logits = F.linear(decoded, embedding, decoder.bias)
    return F.cross_entropy(logits, stream.labels[targets])
