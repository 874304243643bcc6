import pytest

from finetune.data.learned_from import RECORD, check_unseen, remember
from finetune.data.programs import Program
from static_analysis import OscarError

PROGRAMS = [Program(f"{i}.c", "ab"[i % 2], f"int x{i};") for i in range(6)]


def test_programs_that_a_model_was_tuned_on_do_not_judge_it(tmp_path):
    remember(tmp_path, PROGRAMS[:3], "--seed 3", None)
    check_unseen(tmp_path, PROGRAMS[3:])
    with pytest.raises(OscarError, match=r"on 1 of the 4 programs .*: give --seed 3, as"):
        check_unseen(tmp_path, PROGRAMS[2:])


def test_what_the_first_model_knew_the_second_knows(tmp_path):
    remember(tmp_path / "first", PROGRAMS[:2], "--seed 1", None)
    remember(tmp_path / "second", PROGRAMS[2:4], "--seed 2", tmp_path / "first")
    for program in PROGRAMS[:4]:
        with pytest.raises(OscarError, match="--seed 2"):
            check_unseen(tmp_path / "second", [program])
    check_unseen(tmp_path / "first", PROGRAMS[2:])


def test_a_model_that_was_not_tuned_knows_no_labels(tmp_path):
    check_unseen(tmp_path, PROGRAMS)
    remember(tmp_path / "tuned", PROGRAMS[:1], "", tmp_path)
    check_unseen(tmp_path / "tuned", PROGRAMS[1:])
    with pytest.raises(OscarError, match="to judge it by: give others"):
        check_unseen(tmp_path / "tuned", PROGRAMS)


@pytest.mark.parametrize("text", ["", "[]", '{"programs": 3, "options": ""}', "{}"])
def test_a_damaged_record_is_one_clear_line(tmp_path, text):
    (tmp_path / RECORD).write_text(text)
    with pytest.raises(OscarError, match="is damaged"):
        check_unseen(tmp_path, PROGRAMS)
