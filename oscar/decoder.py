"""Guesses masked tokens from token states and the function's view of their instruction.

Only pretraining uses it; it is no part of a saved model (Peng et al., ICML 2021, section 3.2).
"""

import torch
from torch import Tensor, nn

from oscar.batching import FunctionBatch
from oscar.config import OscarConfig
from oscar.groups import StreamBatch
from oscar.layers import token_stack
from oscar.model import OscarModel, OscarOutput, initialise
from oscar.packing import Packing


class StreamDecoder(nn.Module):
    """Token-level layers and the output over the vocabulary of one stream."""

    def __init__(self, vocab_size: int, config: OscarConfig) -> None:
        super().__init__()
        self.layers = token_stack(config.decoder_layers, config)
        self.bias = nn.Parameter(torch.zeros(vocab_size))

    def forward(
        self,
        token_states: Tensor,
        entry_states: Tensor,
        stream: StreamBatch,
        groups: Tensor,
        targets: Tensor,
        embedding: Tensor,
    ) -> Tensor:
        """Give logits for the target tokens.

        Only groups with a target go through the layers, and only targets through the last one's
        feed-forward network.

        Args:
            token_states: (d, H), states of the tokens of the different groups.
            entry_states: (n, H), function-level state of each entry.
            stream: the batch's tokens.
            groups: (n,) group of each entry.
            targets: (t,) bool, which of the batch's tokens to guess.
            embedding: (vocabulary, H), the input embedding, which is also the output's weight.

        Returns:
            (targets, vocabulary), in the order of the tokens.
        """
        group = groups[stream.owners]
        wanted = torch.zeros_like(group, dtype=torch.bool).index_fill(0, group[targets], True)
        tokens = wanted[group].nonzero()[:, 0]
        sizes = group[tokens].unique_consecutive(return_counts=True)[1]
        x = token_states.index_select(0, stream.rows[tokens])
        x = x + entry_states.index_select(0, stream.owners[tokens])
        packing = Packing.of(sizes.cpu().numpy()).to(x.device)
        decoded = self.layers(x, packing, chosen=targets[tokens].nonzero()[:, 0])
        return nn.functional.linear(decoded, embedding, self.bias)


class MaskedTokenDecoder(nn.Module):
    """The decoders of the streams that the config reads."""

    def __init__(self, config: OscarConfig) -> None:
        super().__init__()
        self.sizes = (config.instruction_vocab_size, config.environment_vocab_size)
        self.instruction, self.environment = (
            StreamDecoder(size, config) if stream in config.reads else None
            for stream, size in enumerate(self.sizes)
        )
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
            instruction_targets: (t,) bool, tokens of the instruction stream to guess.
            environment_targets: the same for the environment stream.

        Returns:
            (instruction targets, vocabulary) and (environment targets, vocabulary), in the order
            of the batch's tokens; without rows for a stream that is not read.
        """
        instruction, environment = batch.instruction, batch.environment
        parts = (
            (self.instruction, model.instruction_encoder, instruction, instruction_targets),
            (self.environment, model.environment_encoder, environment, environment_targets),
        )
        states = (
            (output.instruction_tokens, output.instruction_states),
            (output.environment_tokens, output.environment_states),
        )
        logits = [output.embedding.new_zeros(0, size) for size in self.sizes]
        for place, (decoder, encoder, stream, targets) in enumerate(parts):
            if decoder is not None and encoder is not None:
                weight = encoder.embedding.weight
                logits[place] = decoder(*states[place], stream, batch.groups, targets, weight)
        return logits[0], logits[1]
