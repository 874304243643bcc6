import json

import pytest

from finetune.evaluation.predictions import score_predictions
from static_analysis import OscarError

LABELS = {"0": "a", "1": "a", "2": "a", "3": "b", "4": "b"}
ANSWERS = {
    "0": ["1", "3", "2"],
    "1": ["3", "2", "0"],
    "2": ["0", "1"],
    "3": ["4"],
    "4": ["0", "3"],
}


@pytest.fixture
def programs(tmp_path):
    return write(tmp_path / "programs.jsonl", [{"index": i, "label": k} for i, k in LABELS.items()])


def write(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def predicted(tmp_path, **changed):
    answers = ANSWERS | {name.removeprefix("q"): found for name, found in changed.items()}
    lines = [{"index": i, "answers": found} for i, found in answers.items() if found is not None]
    return write(tmp_path / "predictions.jsonl", lines)


def test_rankings_are_judged_to_r(tmp_path, programs):
    scores = score_predictions(programs, predicted(tmp_path))
    # R is 2 for the a's and 1 for the b's: 0 finds one of two, 1 the second, 2 both; 3 its own.
    assert scores.average_precision.tolist() == [1 / 2, 1 / 4, 1, 1, 0]
    assert scores.reciprocal_rank.tolist() == [1, 1 / 2, 1, 1, 1 / 2]
    assert scores.figures.map_at_r == pytest.approx(2.75 / 5)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"q1": None}, "no line for index 1"),
        ({"q1": ["0"]}, "has 1 answers, 2 are judged"),
        ({"q1": ["0", "9"]}, "answer 9 to index 1"),
        ({"q1": ["0", "0"]}, "an answer twice"),
        ({"q1": ["0", "1"]}, "itself"),
        ({"q1": "0 2"}, "no list"),
        ({"q7": ["0", "1"]}, "index 7 is no program"),
        ({"q1": ["0", float("nan")]}, "answer nan"),
    ],
)
def test_a_file_that_is_no_ranking_of_all_is_refused(tmp_path, programs, changed, said):
    with pytest.raises(OscarError, match=said):
        score_predictions(programs, predicted(tmp_path, **changed))


def test_a_query_may_have_one_line(tmp_path, programs):
    file = predicted(tmp_path)
    file.write_text(file.read_text() * 2)
    with pytest.raises(OscarError, match="two lines for index 0"):
        score_predictions(programs, file)


@pytest.mark.parametrize("text", ["{", "[]", '{"index": 1}', "\xff"])
def test_what_is_no_json_lines_is_one_clear_error(tmp_path, programs, text):
    file = tmp_path / "predictions.jsonl"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(OscarError, match=r"predictions\.jsonl"):
        score_predictions(programs, file)
