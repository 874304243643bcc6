import numpy as np
import pytest

from finetune.training.items import Items, collate_items


@pytest.fixture(scope="module")
def items(collection):
    return Items.of_programs(collection)


def test_items_are_the_lowered_programs_in_all_their_views(collection, items):
    assert items.labels == [program.label for program in collection.lowered]
    rows = list(collection.corpus.all_rows())
    for program, views in zip(collection.lowered, items.views, strict=True):
        assert len(views) == 2
        for view in views:
            found = [rows[number] for number in view.rows]
            assert {row.unit for row in found} == {program.name}
            assert len({row.view for row in found}) == 1
            assert view.weights.sum() == pytest.approx(1)
            lengths = np.array([row.n_instructions for row in found])
            assert view.weights == pytest.approx(lengths / lengths.sum())


def test_a_batch_tells_which_function_is_of_which_item(items, encoded):
    views = [items.views[2][0], items.views[0][1]]
    batch = collate_items(views, [5, 7], encoded)
    assert batch.places.tolist() == [5, 7]
    assert batch.items.tolist() == [0] * len(views[0].rows) + [1] * len(views[1].rows)
    assert len(batch.functions) == len(batch.items) == len(batch.weights)
    assert len(views[0].rows) == 2  # a helper and main
