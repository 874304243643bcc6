import gzip
import json

import pytest

from finetune.data.questions import read_mbxp, without_comments, write_collection
from ir_pipeline import read_functions
from static_analysis import OscarError

LINE = {
    "task_id": "MBCPP/7",
    "prompt": "#include <bits/stdc++.h>\nusing namespace std;\n/**\n * Add two numbers.\n */\n"
    "int add(int a, int b) {\n",
    "canonical_solution": "    return a + b; // the sum\n}",
    "description": "Write a function to add two numbers.",
    "entry_point": "add",
}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mbxp.jsonl.gz"
    lines = [LINE, LINE | {"task_id": "MBCPP/8", "canonical_solution": None}]
    with gzip.open(path, "wt") as out:
        out.write("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_questions_with_a_solution_are_read_without_the_comment_that_repeats_them(file):
    (question,) = read_mbxp(file)
    assert (question.id, question.function) == ("MBCPP/7", "add")
    assert question.text == LINE["description"]
    assert "numbers" not in question.code
    assert "int add(int a, int b)" in question.code


def test_what_looks_like_a_comment_within_quotes_stays():
    code = 'f("http://a", \'"\', "\\"//"); // gone\n/* gone\n too */g();'
    assert without_comments(code) == 'f("http://a", \'"\', "\\"//");  \n g();'


def test_answers_lower_as_a_collection(file, tmp_path):
    collection = tmp_path / "answers.jsonl"
    write_collection(read_mbxp(file), collection)
    (row,) = read_functions([collection])
    assert (row.unit, row.label, row.function) == ("MBCPP/7", "add", "_Z3addii")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1]", "cannot be read as MBXP questions"),
        ("{", "cannot be read as MBXP questions"),
        ('{"prompt": ""}', "a line has no 'canonical_solution': give a file of MBXP questions"),
    ],
)
def test_what_is_no_mbxp_is_one_clear_error(tmp_path, text, said):
    path = tmp_path / "a.jsonl"
    path.write_text(text)
    with pytest.raises(OscarError, match=said):
        read_mbxp(path)
