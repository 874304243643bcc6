"""Everything that fixes the shape of a model: one dataclass, saved as config.json."""

import json
from dataclasses import asdict, dataclass, fields
from typing import Any

from oscar.attention import FEATURE_MAPS, RELATIVE_BIASES
from static_analysis import ENVIRONMENT_VERSION
from static_analysis.errors import OscarError

CHOICES = {
    "token_attention": ("kernelized", "softmax"),
    "function_attention": ("kernelized", "softmax"),
    "feature_map": tuple(FEATURE_MAPS),
    "rpe": tuple(RELATIVE_BIASES),
    "pooling": ("mean", "cls"),
}
MODEL_TYPE = "oscar"


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
        group_size: K, consecutive instructions encoded together at the token level.
        instruction_vocab_size: ids of the instruction stream's tokenizer.
        environment_vocab_size: ids of the environment stream's tokenizer.
        max_instructions: instructions of a function beyond this are cut, and counted.
        max_tokens: tokens of an instruction, in each stream, beyond this are cut, and counted.
        token_attention: attention of the token level, "kernelized" or "softmax".
        function_attention: attention of the function level, "kernelized" or "softmax".
        feature_map: feature map of the kernelised attention.
        n_features: features of a query or key in the kernelised attention.
        rpe: relative positional encoding of all layers, or None.
        pooling: where the embedding is read off the function level: "mean" of all entries of both
            streams, or "cls", the state of CLS_i.
        pce: whether the function level reads positions (Positional Condition Encoding).
        position_size: width of a position query or key, for each head and table.
        dropout: probability of dropping a value in training.
        environment_version: version of the environment encoding the model reads.
        vocabulary: hash of the two tokenizer files, empty before there is a tokenizer.

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
    instruction_vocab_size: int = 12_000
    environment_vocab_size: int = 12_000
    max_instructions: int = 511
    max_tokens: int = 64
    token_attention: str = "kernelized"
    function_attention: str = "kernelized"
    feature_map: str = "nprf"
    n_features: int = 64
    rpe: str | None = "t5"
    pooling: str = "mean"
    pce: bool = True
    dropout: float = 0.1
    environment_version: str = ENVIRONMENT_VERSION
    vocabulary: str = ""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.type is int and (type(value) is not int or value < 1):
                raise OscarError(f"{field.name} is {value!r}: it must be a whole number from 1")
        if self.hidden_size % self.heads:
            raise OscarError(
                f"hidden_size {self.hidden_size} does not split into {self.heads} heads"
            )
        for name, known in CHOICES.items():
            if (chosen := getattr(self, name)) not in known:
                raise OscarError(f"{name} is {chosen!r}: choose {' or '.join(map(str, known))}")
        if not 0 <= self.dropout < 1:
            raise OscarError(f"dropout is {self.dropout}: it must be from 0 to below 1")

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


PRESETS: dict[str, dict[str, float]] = {
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
