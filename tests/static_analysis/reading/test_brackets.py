from hypothesis import given
from hypothesis import strategies as st

from static_analysis.reading.brackets import closing, opening, split
from static_analysis.reading.lexer import lexemes

nested = st.recursive(
    st.sampled_from(["i32", "%x", "@f"]),
    lambda inner: st.lists(inner, max_size=4).flatmap(
        lambda parts: st.sampled_from(["({})", "[{}]", "{{{}}}", "<{}>"]).map(
            lambda bracket: bracket.format(", ".join(parts))
        )
    ),
)


@given(st.lists(nested, min_size=1, max_size=5))
def test_split_undoes_joining_with_commas(parts):
    assert split(lexemes(", ".join(parts))) == [lexemes(part) for part in parts]


@given(nested)
def test_a_bracket_closes_where_its_closing_bracket_opens(text):
    found = lexemes(text)
    for at, lexeme in enumerate(found):
        if lexeme in "([{<":
            assert opening(found, closing(found, at)) == at


def test_nothing_has_no_parts():
    assert split([]) == []


def test_an_open_bracket_reaches_to_the_end():
    assert closing(["(", "i32"], 0) == 1
    assert opening(["i32", ")"], 1) == 0
