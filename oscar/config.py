"""Everything that fixes the shape of a model: one dataclass, saved as config.json."""

import json
from dataclasses import asdict, dataclass, fields
from typing import Any

from oscar.attention import ALGORITHMS, FEATURE_MAPS, RELATIVE_BIASES, make_relative_bias
from oscar.attention.algorithms import usable_algorithms
from static_analysis import ENVIRONMENT_VERSION
from static_analysis.errors import OscarError

ATTENTIONS = ("softmax", *FEATURE_MAPS)
STREAMS = {"both": (0, 1), "instructions": (0,), "environment": (1,)}
CHOICES = {
    "token_attention": ATTENTIONS,
    "function_attention": ATTENTIONS,
    "rpe": tuple(RELATIVE_BIASES),
    "algorithm": ALGORITHMS,
    "pooling": ("mean", "attention", "first"),
    "streams": tuple(STREAMS),
    "sequence": ("joint", "separate"),
}
MODEL_TYPE = "oscar"
LONGEST_FUNCTION = 16_384
LONGEST_FREE_GROUP = 1024
"""Tokens of a group between which the "free" relative positions have a bias for each offset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OscarConfig:
    """Sizes and choices of an OscarModel, checked when built.

    Attributes:
        hidden_size: width of every vector between layers, and of the embedding.
        heads: attention heads of every layer; divides `hidden_size`.
        ffn_size: width inside the feed-forward networks.
        token_layers: layers of each stream's token-level encoder.
        function_layers: layers of the function-level encoder.
        decoder_layers: layers of each stream's decoder for masked tokens (pretraining only).
        position_size: width of a position query or key, for each head and table.
        group_size: K, consecutive instructions encoded together at the token level.
        token_attention: attention of the token level: "softmax" or the name of a feature map.
        function_attention: the same for the function level.
        n_features: features of a query or key in kernelised attention.
        rpe: relative positional encoding of all layers, or None.
        algorithm: how kernelised attention is computed; the numbers are the same.
        streams: what is read: "both", the "instructions" or the "environment" alone.
        sequence: function level over both streams in one sequence ("joint"), or over each in one
            of its own, with the same weights ("separate").
        pce: whether the function level reads positions (Positional Condition Encoding).
        pooling: how the states of a function's entries become its embedding: their "mean",
            their mean by learned weights ("attention"), or the state of the "first", CLS_i.
        dropout: probability of dropping a value in training.
        entry_dropout: probability of hiding an instruction and its environment entry from the
            function level in training.
        max_instructions: instructions of a function beyond this are cut, and counted.
        max_tokens: tokens of an entry beyond this are cut, and counted; None: no limit.
        instruction_vocab_size: ids of the instruction stream's tokenizer.
        environment_vocab_size: ids of the environment stream's tokenizer.
        vocabulary: hash of the two tokenizer files, empty before there is a tokenizer.
        environment_version: version of the environment encoding the model reads.

    Raises:
        OscarError: a value is out of range; the message names the field.
    """

    hidden_size: int
    heads: int
    ffn_size: int
    token_layers: int
    function_layers: int
    decoder_layers: int
    position_size: int
    group_size: int = 4
    token_attention: str = "nprf"
    function_attention: str = "nprf"
    n_features: int = 64
    rpe: str | None = "t5"
    algorithm: str = "auto"
    streams: str = "both"
    sequence: str = "joint"
    pce: bool = True
    pooling: str = "mean"
    dropout: float = 0.1
    entry_dropout: float = 0.0
    max_instructions: int = LONGEST_FUNCTION
    max_tokens: int | None = None
    instruction_vocab_size: int = 12_000
    environment_vocab_size: int = 12_000
    vocabulary: str = ""
    environment_version: str = ENVIRONMENT_VERSION

    def __post_init__(self) -> None:
        self._check_numbers()
        for name, known in CHOICES.items():
            if (chosen := getattr(self, name)) not in known:
                raise OscarError(f"{name} is {chosen!r}: choose {' or '.join(map(str, known))}")
        usable = ["auto", *usable_algorithms(make_relative_bias(self.rpe, self.heads), False)]
        if self.algorithm not in usable:
            raise OscarError(
                f"algorithm {self.algorithm} cannot do with rpe {self.rpe}: "
                f"choose {' or '.join(usable)}"
            )
        longest = LONGEST_FREE_GROUP // self.group_size
        if self.rpe == "free" and (self.max_tokens is None or self.max_tokens > longest):
            raise OscarError(
                f"rpe free has a bias for each offset up to {LONGEST_FREE_GROUP} tokens: "
                f"set max_tokens to at most {longest}"
            )

    def _check_numbers(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            limit = field.type is int or (field.name == "max_tokens" and value is not None)
            if limit and (type(value) is not int or value < 1):
                raise OscarError(f"{field.name} is {value!r}: it must be a whole number from 1")
        if self.hidden_size % self.heads:
            raise OscarError(
                f"hidden_size {self.hidden_size} does not split into {self.heads} heads"
            )
        if self.max_instructions > LONGEST_FUNCTION:
            raise OscarError(
                f"max_instructions is {self.max_instructions}: it can be {LONGEST_FUNCTION} at most"
            )
        for name in ("dropout", "entry_dropout"):
            if not 0 <= getattr(self, name) < 1:
                raise OscarError(f"{name} is {getattr(self, name)}: it must be from 0 to below 1")

    @property
    def reads(self) -> tuple[int, ...]:
        """Numbers of the streams that are read: 0 for instructions, 1 for the environment."""
        return STREAMS[self.streams]

    @classmethod
    def preset(cls, name: str, **overrides: Any) -> "OscarConfig":
        """Give one of the named sizes, with any field set otherwise.

        Raises:
            OscarError: there is no such preset or field, or a value is out of range.
        """
        if name not in PRESETS:
            raise OscarError(f"unknown preset {name!r}: choose one of {', '.join(PRESETS)}")
        return cls.from_dict({**PRESETS[name], **overrides})

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "OscarConfig":
        """Build a config from named values.

        Raises:
            OscarError: a field is unknown or missing, or a value is out of range.
        """
        known = {field.name for field in fields(cls)}
        if unknown := sorted(values.keys() - known):
            raise OscarError(
                f"unknown config field {', '.join(unknown)}: this version of oscar has "
                f"{', '.join(sorted(known))}"
            )
        try:
            return cls(**values)
        except TypeError as error:
            raise OscarError(f"incomplete config: {error}") from None

    def to_json(self) -> str:
        """Give the text of config.json."""
        return json.dumps({"model_type": MODEL_TYPE, **asdict(self)}, indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "OscarConfig":
        """Read the text of config.json.

        Raises:
            OscarError: the text is not the config of an OSCAR model of this version.
        """
        try:
            values = json.loads(text)
        except json.JSONDecodeError as error:
            raise OscarError(f"config.json is not JSON ({error}): save the model again") from None
        if not isinstance(values, dict) or values.pop("model_type", None) != MODEL_TYPE:
            raise OscarError('config.json is not of an OSCAR model (no "model_type": "oscar")')
        return cls.from_dict(values)


PRESETS: dict[str, dict[str, Any]] = {
    "tiny": {
        "hidden_size": 128,
        "heads": 4,
        "ffn_size": 512,
        "token_layers": 1,
        "function_layers": 2,
        "decoder_layers": 1,
        "position_size": 16,
        "dropout": 0.0,
    },
    "small": {
        "hidden_size": 256,
        "heads": 4,
        "ffn_size": 1024,
        "token_layers": 2,
        "function_layers": 4,
        "decoder_layers": 1,
        "position_size": 32,
    },
    "base": {
        "hidden_size": 768,
        "heads": 12,
        "ffn_size": 3072,
        "token_layers": 3,
        "function_layers": 6,
        "decoder_layers": 3,
        "position_size": 64,
    },
}
