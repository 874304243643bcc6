"""The model folder: config.json, model.safetensors, two tokenizer files and a model card."""

from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor, nn

from ir_pipeline.atomic import write_atomically
from oscar.config import OscarConfig
from oscar.model_card import model_card
from oscar.tokenizer import OscarTokenizer
from static_analysis import ENVIRONMENT_VERSION
from static_analysis.errors import OscarError

CONFIG, WEIGHTS, CARD = "config.json", "model.safetensors", "README.md"


def read_folder(path: Path) -> tuple[OscarConfig, OscarTokenizer, dict[str, Tensor]]:
    """Read config, tokenizer and weights of a model folder, and check that they fit.

    Raises:
        OscarError: a part is missing, damaged, or of another vocabulary or environment version.
    """
    for name in (CONFIG, WEIGHTS):
        if not (path / name).is_file():
            raise OscarError(f"no {name} in {path}: give the folder of a trained model")
    config = OscarConfig.from_json((path / CONFIG).read_text(encoding="utf-8"))
    if config.environment_version != ENVIRONMENT_VERSION:
        raise OscarError(
            f"the model in {path} reads environment version {config.environment_version}, this "
            f"program writes {ENVIRONMENT_VERSION}: train it again or use the matching version"
        )
    tokenizer = OscarTokenizer.load(path)
    check_vocabulary(config, tokenizer)
    try:
        return config, tokenizer, load_file(path / WEIGHTS)
    except SafetensorError as error:
        raise OscarError(f"{path / WEIGHTS} is damaged ({error}): copy it again") from None


def check_vocabulary(config: OscarConfig, tokenizer: OscarTokenizer) -> None:
    """Accept the tokenizer that a config names.

    Raises:
        OscarError: it is another one.
    """
    if config.vocabulary != tokenizer.hash:
        raise OscarError(
            f"the model's vocabulary is {config.vocabulary[:12] or 'not set'}, the tokenizer's is "
            f"{tokenizer.hash[:12]}: use the tokenizer files that were saved with the model"
        )


def load_weights(model: nn.Module, weights: dict[str, Tensor], path: Path) -> None:
    """Put weights into a model.

    Raises:
        OscarError: their names or shapes are not those of the model.
    """
    try:
        model.load_state_dict(weights)
    except RuntimeError as error:
        detail = str(error).splitlines()[-1].strip()
        raise OscarError(f"{path / WEIGHTS} does not fit its config.json: {detail}") from None


def write_folder(
    path: Path,
    config: OscarConfig,
    weights: dict[str, Tensor],
    tokenizer: OscarTokenizer,
    training: dict[str, Any],
) -> None:
    """Write a model folder, each file whole or not at all; the config comes last.

    Raises:
        OscarError: the tokenizer is not the one the config names.
    """
    check_vocabulary(config, tokenizer)
    tokenizer.save(path)
    plain = {name: weight.detach().cpu().contiguous() for name, weight in weights.items()}
    write_atomically(path / WEIGHTS, save(plain))
    parameters = sum(weight.numel() for weight in plain.values())
    write_atomically(path / CARD, model_card(config, parameters, training).encode())
    write_atomically(path / CONFIG, config.to_json().encode())
