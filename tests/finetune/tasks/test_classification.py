from collections import Counter

import numpy as np
import pytest

from finetune.data.programs import Program
from finetune.tasks.classification import Split, probe
from static_analysis import OscarError

PROGRAMS = [Program(str(i), "abc"[i % 3], "") for i in range(90)]


def vectors(noise):
    generator = np.random.default_rng(0)
    kinds = np.eye(3)[["abc".index(program.label) for program in PROGRAMS]]
    return np.hstack([kinds, np.zeros((90, 2))]) + generator.normal(0, noise, (90, 5))


def test_each_label_is_split_60_20_20_and_nothing_twice():
    split = Split.of(PROGRAMS, seed=1)
    parts = (split.train, split.validation, split.test)
    assert [len(part) for part in parts] == [54, 18, 18]
    for part, share in zip(parts, (18, 6, 6), strict=True):
        assert Counter(program.label for program in part) == dict.fromkeys("abc", share)
    assert sorted(p.name for part in parts for p in part) == sorted(p.name for p in PROGRAMS)


def test_splits_follow_the_seed():
    assert Split.of(PROGRAMS, 1) == Split.of(PROGRAMS, 1)
    assert Split.of(PROGRAMS, 1) != Split.of(PROGRAMS, 2)


def test_labels_that_vectors_tell_are_learned_and_others_are_guessed():
    split = Split.of(PROGRAMS, 0)
    assert probe(split, PROGRAMS, vectors(0.05)).error == 0
    nothing = np.random.default_rng(1).normal(size=(90, 5))
    assert probe(split, PROGRAMS, nothing).error > 0.3


def test_a_lost_program_of_the_test_is_an_error():
    split = Split.of(PROGRAMS, 0)
    lost = {program.name for program in (*split.test[:3], *split.train[:5])}
    kept = [row for row, program in enumerate(PROGRAMS) if program.name not in lost]
    figures = probe(split, [PROGRAMS[row] for row in kept], vectors(0.05)[kept])
    assert figures.error == pytest.approx(3 / 18)
    assert figures.items == 18


@pytest.mark.parametrize(
    ("labels", "said"),
    [("a" * 9, "one label"), ("", "one label"), ("a" * 9 + "b" * 4, "label 'b' has 4 programs")],
)
def test_programs_that_cannot_be_parted_are_one_clear_line(labels, said):
    with pytest.raises(OscarError, match=said):
        Split.of([Program(str(i), label, "") for i, label in enumerate(labels)], 0)


@pytest.mark.parametrize("kept", ["train", "validation", "test"])
def test_too_few_programs_that_can_be_read_are_one_clear_line(kept):
    split = Split.of(PROGRAMS, 0)
    programs = getattr(split, kept)
    with pytest.raises(OscarError, match=r"to choose by can be read: see errors\.parquet"):
        probe(split, programs, np.ones((len(programs), 2)))


@pytest.mark.parametrize("sizes", [(5, 5), (5, 6), (5, 7, 8, 9), (5, 500)])
def test_the_smallest_labels_are_in_all_three_parts(sizes):
    labels = [chr(97 + i) for i, size in enumerate(sizes) for _ in range(size)]
    programs = [Program(str(i), label, "") for i, label in enumerate(labels)]
    for seed in range(5):
        split = Split.of(programs, seed)
        for part in (split.train, split.validation, split.test):
            assert {program.label for program in part} == set(labels)
