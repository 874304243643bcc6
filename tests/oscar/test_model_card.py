from oscar.config import OscarConfig
from oscar.model_card import model_card, with_section


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


def test_a_section_is_added_once_and_then_replaced_where_it_stands():
    card = model_card(OscarConfig.preset("tiny"), 1, {})
    once = with_section(card, "Evaluation: clones", "| a | 1 |")
    assert once.startswith(card)
    both = with_section(once, "Evaluation: clones of another set", r"\1 is no group")
    again = with_section(both, "Evaluation: clones", "| a | 2 |")
    assert again == both.replace("| a | 1 |", "| a | 2 |")
    assert again.count("## Evaluation: clones\n") == 1
    assert r"\1 is no group" in again


def test_a_card_that_is_gone_begins_with_the_section():
    assert with_section("", "Evaluation", "text").startswith("<!-- Evaluation -->\n## Evaluation")
