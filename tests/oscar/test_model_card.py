from oscar.config import OscarConfig
from oscar.model_card import model_card


def test_the_card_tells_config_training_and_limits():
    config = OscarConfig.preset("tiny", vocabulary="abc123")
    card = model_card(config, 1_234_567, {"steps": 1000, "loss": 2.5})
    assert "1,234,567 numbers" in card
    assert "| hidden_size | 128 |" in card
    assert "| vocabulary | abc123 |" in card
    assert "| steps | 1000 |" in card
    assert "cut after 16384 instructions, their entries are read whole" in card
    assert "OscarModel.from_pretrained" in card


def test_a_model_without_recorded_training_says_so():
    card = model_card(OscarConfig.preset("tiny"), 1, {})
    assert "Nothing was recorded" in card
