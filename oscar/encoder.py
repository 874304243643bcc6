"""The two storeys of the model: tokens to instruction vectors, and these to function states."""

import torch
from torch import Tensor, nn

from oscar.config import OscarConfig
from oscar.groups import StreamBatch
from oscar.layers import TransformerLayer, TransformerStack, make_attention, token_stack
from oscar.layout import FunctionLayout
from oscar.pce import CLS_ENVIRONMENT, CLS_INSTRUCTION, KINDS, PositionalCondition
from oscar.pooling import mean_of_runs

PLACES = 64
"""Tokens of an entry whose place has a vector of its own; those after them share the last."""


class TokenEncoder(nn.Module):
    """Token-level encoder of one stream: token ids to token states and one vector an entry."""

    def __init__(self, vocab_size: int, config: OscarConfig) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, config.hidden_size)
        self.slot_embedding = nn.Embedding(config.group_size, config.hidden_size)
        # Without it the tokens of an instruction that is masked as a whole would all look alike.
        self.place_embedding = nn.Embedding(PLACES, config.hidden_size)
        self.dropout = nn.Dropout(config.dropout)
        self.layers = token_stack(config.token_layers, config)

    def forward(self, stream: StreamBatch) -> tuple[Tensor, Tensor]:
        """Encode the different groups of a stream, each once.

        Copies of a group share one result, in training its dropout included; their gradients add
        up as if each had been encoded.

        Returns:
            The states (d, H) of the groups' tokens, and the vector (n, H) of each entry of the
            batch, the mean of its tokens' states; zero for an entry without tokens.
        """
        x = self.embedding(stream.tokens) + self.slot_embedding(stream.slots)
        x = x + self.place_embedding(stream.places.clamp(max=PLACES - 1))
        states = self.layers(self.dropout(x), stream.packing)
        return states, mean_of_runs(states, stream.sizes).index_select(0, stream.entries)


class FunctionEncoder(nn.Module):
    """Function-level encoder over the CLS and the entries of the streams that are read."""

    def __init__(self, config: OscarConfig) -> None:
        super().__init__()
        width, position_dim = config.hidden_size, len(KINDS) * config.position_size * config.pce
        self.reads = list(config.reads)
        self.cls = nn.Parameter(torch.empty(len(self.reads), width))
        self.stream_type = nn.Parameter(torch.empty(len(self.reads), width))
        longest = len(self.reads) * (1 + config.max_instructions)
        self.layers = TransformerStack(
            [
                TransformerLayer(
                    make_attention(config.function_attention, config, layer, position_dim, longest),
                    config,
                )
                for layer in range(config.function_layers)
            ],
            width,
        )
        self.dropout = nn.Dropout(config.dropout)
        self.entry_dropout = config.entry_dropout
        self.positions: PositionalCondition | None = None
        if config.pce:
            self.positions = PositionalCondition(width, config.heads, config.position_size)

    def forward(self, vectors: Tensor, layout: FunctionLayout) -> tuple[Tensor, Tensor]:
        """Encode functions from the vectors (n, S, H) of their entries, of the S streams read.

        Returns:
            (B, S, H) and (n, S, H): the states of the CLS and of the entries.
        """
        sequences = layout.sequences
        cls = (self.cls + self.stream_type).expand(len(layout), -1, -1)
        entries = self._hidden(vectors) + self.stream_type
        x = self.dropout(sequences.arrange(cls.to(entries.dtype), entries))
        states = self.layers(x, sequences.packing, self._conditions(layout))
        return sequences.separate(states, len(layout), len(self.reads))

    def _hidden(self, vectors: Tensor) -> Tensor:
        """Put zeros in place of some instructions in training, of all streams together."""
        if not (self.training and self.entry_dropout):
            return vectors
        kept = torch.rand(len(vectors), 1, 1, device=vectors.device) >= self.entry_dropout
        return vectors * kept

    def _conditions(self, layout: FunctionLayout) -> list[tuple[Tensor, Tensor]] | None:
        """Give the position queries and keys of each bucket of sequences."""
        if self.positions is None:
            return None
        rows = torch.tensor([CLS_INSTRUCTION, CLS_ENVIRONMENT], device=layout.positions.device)
        cls = rows[self.reads][:, None].expand(len(layout), -1, len(KINDS))
        entries = layout.positions[:, None].expand(-1, len(self.reads), -1)
        positions = layout.sequences.arrange(cls, entries)
        pair = self.positions(positions, layout.longest)
        queries, keys = (layout.sequences.packing.spread(x) for x in pair)
        return list(zip(queries, keys, strict=True))
