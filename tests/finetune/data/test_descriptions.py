import pytest

from finetune.data.descriptions import (
    BOILERPLATE,
    COPY,
    FORMULA,
    MOST_FUNCTIONS,
    REPEATED,
    SHORT,
    description,
    examples,
    mine,
    unfit,
)
from ir_pipeline import open_corpus, read_functions


@pytest.mark.parametrize(
    ("doc", "said"),
    [
        ("/* Adds up the first n numbers. Slowly. */", "Adds up the first n numbers."),
        (
            "/**\n * \\brief x\n * Finds the end\n * of a list\n *\n * @param l list\n */",
            "Finds the end of a list",
        ),
        ("// Tells whether\n// a name is known", "Tells whether a name is known"),
        ("/// Frees it!", "Frees it!"),
        ("/* A section. */\n/* Sorts the list. */", "Sorts the list."),
        ("/*----------\n * Sorts a list\n *----------*/", "Sorts a list"),
        ("/* Reads e.g. a file of i.e. bytes. */", "Reads e.g. a file of i.e. bytes."),
        ("/* Uses eq. 7 of [J. Doe]. Quickly. */", "Uses eq. 7 of [J. Doe]."),
        ("/*\n * SPDX-License-Identifier: MIT\n * Sorts a list.\n */", "Sorts a list."),
        ("", ""),
    ],
)
def test_a_description_is_the_first_sentence_without_marks(doc, said):
    assert description(doc) == said


@pytest.mark.parametrize(
    "doc",
    [
        "/* sort_list: sorts a list */",
        "/* sort_list\n * sorts a list */",
        "/* sort_list() -- sorts a list */",
        "/* other_name(a, b,\n *   c): sorts a list */",
    ],
)
def test_the_name_that_many_comments_begin_with_is_left_out(doc):
    assert description(doc, "sort_list") == "sorts a list"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Sorts the list of numbers.", ""),
        ("Frees it!", SHORT),
        ("png_set_strip_alpha", SHORT),
        ("sets x_y and a_b", SHORT),
        ("Copyright 2020 by the people who wrote it", BOILERPLATE),
        ("This function was added in version two", BOILERPLATE),
        ("Helpers to read the file and other functions", BOILERPLATE),
        ("LCOV_EXCL_START of what is never reached", BOILERPLATE),
        ("solve min ||b - A x||^2 + lambda^2 ||x||^2 with many", FORMULA),
    ],
)
def test_texts_that_describe_nothing_are_told_why(text, reason):
    assert unfit(text) == reason


def test_functions_without_a_description_are_no_pairs(project):
    mined = mine(read_functions([project]))
    assert [(pair.text, pair.name) for pair in mined.pairs] == [
        ("Adds up the first n numbers.", "sum")
    ]
    assert (mined.functions, mined.commented, dict(mined.dropped)) == (4, 1, {})


def test_a_pair_has_all_views_of_its_function_by_their_numbers(commented_corpus):
    rows = list(open_corpus(commented_corpus).all_rows())
    mined = mine(rows)
    assert (mined.functions, mined.commented, len(mined.pairs)) == (25, 24, 24)
    for pair in mined.pairs:
        views = [rows[number] for number in pair.rows]
        assert [view.view for view in views] == ["O0", "O2"]
        assert {view.function for view in views} == {pair.name}


def test_copies_and_a_text_above_many_functions_are_left_out(tmp_path):
    lines = ["/* Does the first thing for you */\nint a(int x) { return x * 7; }"]
    lines += ["/* Says it in other words here */\nint b(int x) { return x * 7; }"]
    lines += [
        f"/* Part of the public face here */\nint c{i}(int x) {{ return x + {i}; }}"
        for i in range(MOST_FUNCTIONS + 1)
    ]
    file = tmp_path / "a.c"
    file.write_text("\n".join(lines))
    mined = mine(read_functions([file]))
    assert mined.texts == ["Does the first thing for you"]
    assert mined.dropped == {COPY: 1, REPEATED: MOST_FUNCTIONS + 1}


def test_examples_are_spread_over_all(commented_corpus):
    shown = examples(mine(open_corpus(commented_corpus).all_rows()).pairs, 3)
    assert len(shown) == 3
    assert len({name.partition("_")[0] for name, _ in shown}) > 1
    assert examples([], 3) == []
