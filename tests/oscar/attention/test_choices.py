import pytest

from oscar.attention.choices import check_choice
from static_analysis.errors import OscarError


def test_known_names_pass():
    check_choice("fruit", "pear", ["apple", "pear"])
    check_choice("fruit", None, ["apple", None])


def test_unknown_name_is_refused_with_the_names_there_are():
    with pytest.raises(OscarError, match=r"unknown fruit 'plum': choose one of apple, pear"):
        check_choice("fruit", "plum", ["apple", "pear"])
