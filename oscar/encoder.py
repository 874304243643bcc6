"""The two storeys of the model: tokens to instruction vectors, and these to function states."""

import torch
from torch import Tensor, nn

from oscar.batching import FunctionBatch, StreamBatch
from oscar.config import OscarConfig
from oscar.layers import TokenLayers, TransformerLayer, by_length, make_attention
from oscar.pce import CLS_ENVIRONMENT, CLS_INSTRUCTION, KINDS, PositionalCondition

N_CLS = 2


class TokenEncoder(nn.Module):
    """Token-level encoder of one stream: token ids to token states and one vector an entry."""

    def __init__(self, vocab_size: int, config: OscarConfig) -> None:
        super().__init__()
        self.group_size = config.group_size
        self.embedding = nn.Embedding(vocab_size, config.hidden_size)
        self.slot_embedding = nn.Embedding(config.group_size, config.hidden_size)
        # Without it the tokens of an instruction that is masked as a whole would all look alike.
        self.place_embedding = nn.Embedding(config.max_tokens, config.hidden_size)
        self.dropout = nn.Dropout(config.dropout)
        self.layers = TokenLayers(config.token_layers, config)

    def forward(self, stream: StreamBatch) -> tuple[Tensor, Tensor]:
        """Encode the groups of a stream.

        Returns:
            The token states (groups, T, H), zero where padded, and their means over the tokens of
            each entry (groups · K, H), zero where a group has no such entry.
        """
        mask = stream.slots >= 0
        x = self.embedding(stream.tokens) + self.slot_embedding(stream.slots.clamp(min=0))
        x = x + self.place_embedding(_places(stream.slots) * mask)
        states = self.layers(self.dropout(x), mask)
        return states, self._pool(states, stream.slots)

    def _pool(self, states: Tensor, slots: Tensor) -> Tensor:
        places = torch.arange(self.group_size, device=slots.device)
        belongs = (slots[:, None, :] == places[:, None]).to(states.dtype)
        counts = belongs.sum(-1, keepdim=True).clamp(min=1)
        return (belongs @ states / counts).flatten(0, 1)


def _places(slots: Tensor) -> Tensor:
    """Give the place of each token within its entry, (groups, T), from the tokens' slots."""
    index = torch.arange(slots.shape[1], device=slots.device).expand_as(slots)
    begins = nn.functional.pad(slots[:, 1:] != slots[:, :-1], (1, 0), value=True)
    return index - (index * begins).cummax(dim=1).values


class FunctionEncoder(nn.Module):
    """Function-level encoder over [CLS_i, CLS_s, inst_1, env_1, inst_2, env_2, …].

    The paper puts one stream after the other. Interleaved, an instruction and its environment
    entry are always one step apart, whatever the length of the function and of its padding, so
    that one Toeplitz matrix of relative positions serves both streams.
    """

    def __init__(self, config: OscarConfig) -> None:
        super().__init__()
        width = config.hidden_size
        self.cls = nn.Parameter(torch.empty(N_CLS, width))
        self.stream_type = nn.Parameter(torch.empty(2, width))
        position_dim = len(KINDS) * config.position_size if config.pce else 0
        self.layers = nn.ModuleList(
            TransformerLayer(
                make_attention(config.function_attention, config, layer, position_dim), config
            )
            for layer in range(config.function_layers)
        )
        self.norm = nn.LayerNorm(width)
        self.dropout = nn.Dropout(config.dropout)
        self.positions: PositionalCondition | None = None
        if config.pce:
            self.positions = PositionalCondition(
                config.max_instructions, width, config.heads, config.position_size
            )

    def forward(self, instruction: Tensor, environment: Tensor, batch: FunctionBatch) -> Tensor:
        """Encode functions from the vectors of their entries, (B, L, H) for each stream.

        Returns:
            (B, 2 + 2L, H): the states of CLS_i, CLS_s and the interleaved entries, zero where
            padded.
        """
        pairs = torch.stack([instruction, environment], dim=2) + self.stream_type
        cls = (self.cls + self.stream_type).expand(len(pairs), -1, -1)
        x = self.dropout(torch.cat([cls, pairs.flatten(1, 2)], dim=1))
        mask = nn.functional.pad(batch.mask.repeat_interleave(2, dim=1), (N_CLS, 0), value=True)
        return by_length(self._run, mask, x, _sequence_positions(batch.positions))

    def _run(self, mask: Tensor, x: Tensor, positions: Tensor) -> Tensor:
        conditions = self.positions(positions) if self.positions is not None else ()
        for layer in self.layers:
            x = layer(x, mask, *conditions)
        normed: Tensor = self.norm(x)
        return normed


def _sequence_positions(positions: Tensor) -> Tensor:
    """Give the table rows of the interleaved sequence, (B, 2 + 2L, 3), from (B, L, 3)."""
    cls = torch.tensor([CLS_INSTRUCTION, CLS_ENVIRONMENT], device=positions.device)
    cls = cls[None, :, None].expand(len(positions), -1, positions.shape[2])
    return torch.cat([cls, positions.repeat_interleave(2, dim=1)], dim=1)
