from collections import Counter

import numpy as np
import pytest

from finetune.data.programs import Program
from finetune.tasks.classification import Split, probe

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
