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
    assert (sizes, layers) == ((768, 12, 3072, 4), (3, 6, 3))


def test_nothing_is_cut_below_16384_instructions_unless_asked():
    config = OscarConfig.preset("tiny")
    assert (config.max_instructions, config.max_tokens) == (16_384, None)


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"heads": 3}, "hidden_size 128 does not split into 3 heads"),
        ({"ffn_size": 0}, "ffn_size is 0: it must be a whole number from 1"),
        ({"token_layers": 1.5}, "token_layers is 1.5"),
        ({"token_layers": True}, "token_layers is True"),
        (
            {"token_attention": "linear"},
            r"token_attention is 'linear': choose softmax or nprf or favor\+ or",
        ),
        ({"pooling": "cls"}, "pooling is 'cls': choose mean or attention or first"),
        ({"streams": "none"}, "streams is 'none': choose both or instructions or environment"),
        ({"sequence": "long"}, "sequence is 'long': choose joint or separate"),
        ({"algorithm": "quick"}, "algorithm is 'quick': choose auto or dense"),
        ({"algorithm": "scan"}, "algorithm scan cannot do with rpe t5: choose auto or band or"),
        ({"max_tokens": 0}, "max_tokens is 0: it must be a whole number from 1"),
        ({"max_instructions": 20_000}, "max_instructions is 20000: it can be 16384 at most"),
        ({"rpe": "free"}, "rpe free has a bias .*: set max_tokens to at most 256"),
        ({"rpe": "rotary"}, "rpe is 'rotary': choose t5 or .* or None"),
        ({"dropout": 1.0}, "dropout is 1.0: it must be from 0 to below 1"),
        ({"entry_dropout": -0.1}, "entry_dropout is -0.1: it must be from 0 to below 1"),
        (
            {"dropuot": 0.1},
            "unknown config field dropuot: this version of oscar has algorithm, decoder_layers",
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
