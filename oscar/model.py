"""OscarModel: token groups of two aligned streams in, one embedding a function out."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from oscar.batching import EntryBatch, FunctionBatch
from oscar.compiling import compile_layers
from oscar.config import OscarConfig
from oscar.encoder import FunctionEncoder, TokenEncoder
from oscar.folder import load_weights, read_folder, write_folder
from oscar.layers import TransformerStack
from oscar.pooling import FunctionPooling
from oscar.tokenizer import OscarTokenizer

INITIAL_DEVIATION, AT_WIDTH = 0.02, 768
"""Initial weights are those of a 768 wide Transformer (0.02), scaled to keep their effect."""


class OscarOutput(NamedTuple):
    """What the model gives for B functions with n instructions in all.

    A stream that the config leaves out has None, and the token-level states of both where the
    token level had been computed before. A tuple, for DeepSpeed's ZeRO 3 looks for tensors
    in what modules return.

    Attributes:
        embedding: (B, H), read off the function-level states as the config's pooling says.
        instruction_states: (n, H), function-level states of the instructions.
        environment_states: (n, H), function-level states of the environment entries.
        instruction_tokens: (d, H), token-level states of the batch's different groups.
        environment_tokens: the same for the environment stream.
    """

    embedding: Tensor
    instruction_states: Tensor | None
    environment_states: Tensor | None
    instruction_tokens: Tensor | None
    environment_tokens: Tensor | None


class OscarModel(nn.Module):
    """The hierarchical encoder of Peng et al. (ICML 2021, section 3) with kernelised attention.

    New weights come from torch's global generator: seed it for a reproducible start.

    Attributes:
        config: the sizes and choices it was built with.
        tokenizer: the tokenizer saved with it; None for a model not loaded from a folder.
        instruction_encoder: token level of the instruction stream; None if it is not read.
        environment_encoder: the same for the environment stream.
    """

    def __init__(self, config: OscarConfig) -> None:
        super().__init__()
        self.config = config
        self.tokenizer: OscarTokenizer | None = None
        sizes = (config.instruction_vocab_size, config.environment_vocab_size)
        self.instruction_encoder, self.environment_encoder = (
            TokenEncoder(size, config) if stream in config.reads else None
            for stream, size in enumerate(sizes)
        )
        self.function_encoder = FunctionEncoder(config)
        self.pooling = FunctionPooling(config)
        initialise(self)
        for parameter in (self.function_encoder.cls, self.function_encoder.stream_type):
            nn.init.normal_(parameter, std=_deviation(config.hidden_size))

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.function_encoder.cls.device

    def forward(self, batch: FunctionBatch | EntryBatch) -> OscarOutput:
        """Encode a batch; a function's results do not depend on the others or on padding."""
        tokens: list[Tensor | None] = [None, None]
        if isinstance(batch, EntryBatch):
            vectors = batch.vectors
        else:
            vectors, tokens = self._token_level(batch)
        cls, entries = self.function_encoder(vectors, batch.layout)
        states: list[Tensor | None] = [None, None]
        for place, stream in enumerate(self.config.reads):
            states[stream] = entries[:, place]
        return OscarOutput(self.pooling(cls, entries, batch.layout.lengths), *states, *tokens)

    def entry_vectors(self, batch: FunctionBatch) -> Tensor:
        """What the token level makes of a batch (n, S, H), as an `EntryBatch` holds it."""
        return self._token_level(batch)[0]

    def freeze_token_level(self) -> None:
        """Train the function level alone from now on."""
        for encoder in (self.instruction_encoder, self.environment_encoder):
            if encoder is not None:
                encoder.requires_grad_(False)

    def hide_entries(self, share: float) -> None:
        """Hide this share of the instructions from the function level in training from now on.

        Raises:
            OscarError: it is not from 0 to below 1.
        """
        self.config = replace(self.config, entry_dropout=share)
        self.function_encoder.entry_dropout = share

    def _token_level(self, batch: FunctionBatch) -> tuple[Tensor, list[Tensor | None]]:
        """Vectors (n, S, H) of the entries of the streams read, and states (d, H) of the tokens."""
        pairs = (
            (self.instruction_encoder, batch.instruction),
            (self.environment_encoder, batch.environment),
        )
        read = [(None, None) if encoder is None else encoder(stream) for encoder, stream in pairs]
        vectors = [vectors for _, vectors in read if vectors is not None]
        return torch.stack(vectors, dim=1), [states for states, _ in read]

    def gradient_checkpointing_enable(self, enable: bool = True) -> None:
        """Let training keep only what goes from layer to layer, and compute the rest again.

        That costs another forward pass of each layer and saves most of the memory of long
        functions; gradients are the same.
        """
        for part in self.modules():
            if isinstance(part, TransformerStack):
                part.checkpointing = enable

    def compile_layers(self) -> bool:
        """Compile what layers do to each row alone; see `oscar.compiling.compile_layers`."""
        return compile_layers(self)

    @classmethod
    def from_pretrained(cls, path: str | Path) -> "OscarModel":
        """Load a model folder, ready to embed (in evaluation mode, on the CPU).

        Raises:
            OscarError: the folder or a file is missing, its config or tokenizer does not fit, or
                it reads another version of the environment encoding.
        """
        config, tokenizer, weights = read_folder(Path(path))
        model = cls(config)
        model.tokenizer = tokenizer
        load_weights(model, weights, Path(path))
        return model.eval()

    def save_pretrained(
        self,
        path: str | Path,
        tokenizer: OscarTokenizer,
        *,
        training: dict[str, Any] | None = None,
    ) -> None:
        """Write a model folder: config, weights, both tokenizers and a model card.

        Args:
            path: folder, made if it is not there; other files in it stay.
            tokenizer: the tokenizer the model was trained with.
            training: facts of the training for the model card, by name.

        Raises:
            OscarError: the tokenizer is not the one the model's config names.
        """
        write_folder(Path(path), self.config, self.state_dict(), tokenizer, training or {})


def initialise(module: nn.Module) -> None:
    """Draw the weights of linear layers and embeddings from a normal distribution.

    Its deviation falls with the root of the number of inputs, so that narrow models start with
    signals as strong as wide ones; biases start at zero.
    """
    for part in module.modules():
        if isinstance(part, nn.Embedding):
            nn.init.normal_(part.weight, std=_deviation(part.embedding_dim))
        if isinstance(part, nn.Linear):
            nn.init.normal_(part.weight, std=_deviation(part.in_features))
            nn.init.zeros_(part.bias)


def _deviation(inputs: int) -> float:
    return INITIAL_DEVIATION * math.sqrt(AT_WIDTH / inputs)
