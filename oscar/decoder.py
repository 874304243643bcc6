"""Guesses masked tokens from token states and the function's view of their instruction.

Only pretraining uses it; it is no part of a saved model (Peng et al., ICML 2021, section 3.2).
"""

import torch
from torch import Tensor, nn

from oscar.batching import FunctionBatch, StreamBatch
from oscar.config import OscarConfig
from oscar.layers import TokenLayers
from oscar.model import OscarModel, OscarOutput, initialise


class StreamDecoder(nn.Module):
    """Token-level layers and the output over the vocabulary of one stream."""

    def __init__(self, vocab_size: int, config: OscarConfig) -> None:
        super().__init__()
        self.group_size = config.group_size
        self.layers = TokenLayers(config.decoder_layers, config)
        self.bias = nn.Parameter(torch.zeros(vocab_size))

    def forward(
        self,
        token_states: Tensor,
        entry_states: Tensor,
        stream: StreamBatch,
        targets: Tensor,
        embedding: Tensor,
    ) -> Tensor:
        """Give logits for the target tokens.

        Only groups with a target go through the layers.

        Args:
            token_states: (groups, T, H).
            entry_states: (groups · K, H), function-level state of each entry.
            stream: the tokens' places.
            targets: (groups, T) bool.
            embedding: (vocabulary, H), the input embedding, which is also the output's weight.

        Returns:
            (targets, vocabulary), in the order of `targets.nonzero()`.
        """
        groups = targets.any(1).nonzero()[:, 0]
        slots = stream.slots[groups]
        entries = groups[:, None] * self.group_size + slots.clamp(min=0)
        x = token_states[groups] + entry_states[entries]
        decoded = self.layers(x, slots >= 0)[targets[groups]]
        return nn.functional.linear(decoded, embedding, self.bias)


class MaskedTokenDecoder(nn.Module):
    """The decoders of both streams."""

    def __init__(self, config: OscarConfig) -> None:
        super().__init__()
        self.instruction = StreamDecoder(config.instruction_vocab_size, config)
        self.environment = StreamDecoder(config.environment_vocab_size, config)
        initialise(self)

    def forward(
        self,
        model: OscarModel,
        output: OscarOutput,
        batch: FunctionBatch,
        instruction_targets: Tensor,
        environment_targets: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """Give the logits of the target tokens of each stream.

        Args:
            model: the model that gave `output`; its embeddings are tied to the outputs.
            output: the model's output for `batch`.
            batch: the functions with their masked tokens.
            instruction_targets: (groups, T) bool, tokens of the instruction stream to guess.
            environment_targets: the same for the environment stream.

        Returns:
            (instruction targets, vocabulary) and (environment targets, vocabulary), in the order
            of `targets.nonzero()`.
        """
        size = model.config.group_size
        instruction = self.instruction(
            output.instruction_tokens,
            _by_group(output.instruction_states, batch, size),
            batch.instruction,
            instruction_targets,
            model.instruction_encoder.embedding.weight,
        )
        environment = self.environment(
            output.environment_tokens,
            _by_group(output.environment_states, batch, size),
            batch.environment,
            environment_targets,
            model.environment_encoder.embedding.weight,
        )
        return instruction, environment


def _by_group(states: Tensor, batch: FunctionBatch, group_size: int) -> Tensor:
    """Bring (B, L, H) states into the order of the groups, (groups · K, H)."""
    rows = batch.instruction.tokens.shape[0] * group_size
    ordered = states.new_zeros(rows, states.shape[-1])
    return ordered.index_copy(0, batch.rows[batch.mask], states[batch.mask])
