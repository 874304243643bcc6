from static_analysis.reading.attributes import parse_attributes
from static_analysis.reading.lexer import lexemes
from static_analysis.reading.type_table import TypeTable


def parsed(text):
    types = TypeTable()
    return (*parse_attributes(lexemes(text), 0, types), types)


def test_words_with_numbers_brackets_types_and_strings():
    text = (
        "noundef align 8 dereferenceable(4) byval({ i8, %S }) captures(address, ret: none) "
        'range(i32 0, 4) initializes((0, 4)) "tag" "key"="a b" newest_of_all 7'
    )
    found, end, types = parsed(text)
    assert lexemes(text)[end:] == ["7"]
    assert found.pop("byval") is types.parse(lexemes("{ i8, %S }"))[0]
    assert found == {
        "noundef": "",
        "align": "8",
        "dereferenceable": "4",
        "captures": "address , ret : none",
        "range": "i32 0 , 4",
        "initializes": "( 0 , 4 )",
        '"tag"': "",
        '"key"': '"a b"',
        "newest_of_all": "",
    }


def test_attributes_end_where_a_type_or_value_starts():
    for value in ("i32", "%x", "@g", "-1", "null", 'c"x"', "getelementptr", "{", "!3", "asm"):
        found, end, _ = parsed(f"signext {value}")
        assert (found, end) == ({"signext": ""}, 1)
