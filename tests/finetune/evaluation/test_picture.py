import xml.etree.ElementTree as ET
from collections import Counter

import numpy as np
import pytest
from matplotlib.image import imread

from finetune.evaluation import picture
from finetune.evaluation.curves import Curve
from finetune.evaluation.picture import draw_curves, draw_map


@pytest.fixture
def vectors():
    return np.random.default_rng(0).normal(size=(12, 5)).astype(np.float32)


def test_the_map_is_a_picture_with_something_on_it(tmp_path, vectors):
    draw_map(tmp_path / "map.png", vectors, list("aabbccddeeff"))
    drawn = imread(tmp_path / "map.png")
    assert min(drawn.shape[:2]) > 500
    assert 0.001 < (drawn[..., :3].min(axis=2) < 0.9).mean() < 0.5
    assert [path.name for path in tmp_path.iterdir()] == ["map.png"]


def test_the_same_vectors_give_the_same_picture(tmp_path, vectors):
    for name in ("a.png", "b.png"):
        draw_map(tmp_path / name, vectors, list("aabbccddeeff"))
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_two_points_are_enough(tmp_path, vectors):
    draw_map(tmp_path / "map.png", vectors[:3], ["a", "b", "b"])
    assert (tmp_path / "map.png").is_file()


def test_a_map_of_many_shows_as_many_of_each_label(monkeypatch):
    monkeypatch.setattr(picture, "MAPPED", 10)
    labels = list("aabbccccbbaacaca")
    kept = picture._first_of_each(labels)
    assert Counter(labels[item] for item in kept) == {"a": 3, "b": 3, "c": 3}
    assert kept[:3] == [0, 1, 2]


@pytest.mark.parametrize("sizes", [False, True])
def test_all_curves_are_named_in_the_picture_and_drawn_alike_each_time(tmp_path, sizes):
    names = [f"curve {i}" for i in range(23)]
    curves = {name: Curve(np.array([1, 10]), np.array([0.1, 0.9])) for name in names}
    for file in ("a", "b"):
        folder = tmp_path / file
        draw_curves(folder / "p.svg", curves, "recall", "precision", strong=names[:1], sizes=sizes)
    text = (tmp_path / "a" / "p.svg").read_text()
    assert text == (tmp_path / "b" / "p.svg").read_text()
    ET.fromstring(text)
    assert all(f"<!-- {name} -->" in text for name in [*names, "recall", "precision"])
