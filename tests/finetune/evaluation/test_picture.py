import numpy as np
import pytest
from matplotlib.image import imread

from finetune.evaluation.picture import draw_map


@pytest.fixture
def vectors():
    return np.random.default_rng(0).normal(size=(12, 5)).astype(np.float32)


def test_the_map_is_a_picture_with_something_on_it(tmp_path, vectors):
    draw_map(tmp_path / "map.png", vectors, list("aabbccddeeff"))
    picture = imread(tmp_path / "map.png")
    assert min(picture.shape[:2]) > 500
    assert 0.001 < (picture[..., :3].min(axis=2) < 0.9).mean() < 0.5
    assert [path.name for path in tmp_path.iterdir()] == ["map.png"]


def test_the_same_vectors_give_the_same_picture(tmp_path, vectors):
    for name in ("a.png", "b.png"):
        draw_map(tmp_path / name, vectors, list("aabbccddeeff"))
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_two_points_are_enough(tmp_path, vectors):
    draw_map(tmp_path / "map.png", vectors[:3], ["a", "b", "b"])
    assert (tmp_path / "map.png").is_file()
