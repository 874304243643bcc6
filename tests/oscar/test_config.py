import json

import pytest

from oscar.config import PRESETS, OscarConfig
from static_analysis import ENVIRONMENT_VERSION
from static_analysis.errors import OscarError


@pytest.mark.parametrize("name", PRESETS)
def test_presets_survive_their_json(name):
    config = OscarConfig.preset(name, vocabulary="abc")
    assert OscarConfig.from_json(config.to_json()) == config
    assert config.environment_version == ENVIRONMENT_VERSION


def test_base_has_the_sizes_of_the_paper():
    config = OscarConfig.preset("base")
    sizes = (config.hidden_size, config.heads, config.ffn_size, config.group_size)
    layers = (config.token_layers, config.function_layers, config.decoder_layers)
    assert (sizes, layers, config.max_instructions) == ((768, 12, 3072, 4), (3, 6, 3), 511)


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"heads": 3}, "hidden_size 128 does not split into 3 heads"),
        ({"ffn_size": 0}, "ffn_size is 0: it must be a whole number from 1"),
        ({"token_layers": 1.5}, "token_layers is 1.5"),
        ({"token_layers": True}, "token_layers is True"),
        (
            {"token_attention": "linear"},
            "token_attention is 'linear': choose kernelized or softmax",
        ),
        ({"feature_map": "cosine"}, r"feature_map is 'cosine': choose nprf or favor\+ or"),
        ({"rpe": "rotary"}, "rpe is 'rotary': choose t5 or .* or None"),
        ({"dropout": 1.0}, "dropout is 1.0: it must be from 0 to below 1"),
        (
            {"dropuot": 0.1},
            "unknown config field dropuot: this version of oscar has decoder_layers",
        ),
    ],
)
def test_wrong_values_are_refused(overrides, message):
    with pytest.raises(OscarError, match=message):
        OscarConfig.preset("tiny", **overrides)


def test_unknown_preset_is_refused():
    with pytest.raises(OscarError, match="unknown preset 'huge': choose one of tiny, small, base"):
        OscarConfig.preset("huge")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "config.json is not JSON"),
        ("[]", "not of an OSCAR model"),
        (json.dumps({"model_type": "bert"}), "not of an OSCAR model"),
        (json.dumps({"model_type": "oscar"}), "incomplete config: .*hidden_size"),
        (json.dumps({"model_type": "oscar", "colour": 1}), "unknown config field colour"),
    ],
)
def test_text_that_is_not_a_config_is_refused(text, message):
    with pytest.raises(OscarError, match=message):
        OscarConfig.from_json(text)
