import numpy as np

from finetune.baselines.bags import Bag

DOCUMENTS = [["b", "a", "b"], [], ["c", "a"]]


def test_words_are_counted_in_alphabetical_order():
    table = Bag.of(DOCUMENTS).table()
    assert table.toarray().tolist() == [[1, 2, 0], [0, 0, 0], [1, 0, 1]]
    assert table.dtype == np.float32


def test_the_words_of_another_vocabulary_are_the_columns():
    known = Bag.of([["a", "d"], ["b"]])
    assert Bag.of(DOCUMENTS).table(known.vocabulary).toarray().tolist() == (
        [[1, 2, 0], [0, 0, 0], [1, 0, 0]]
    )


def test_no_documents_and_documents_without_words_have_tables():
    assert Bag().table().shape == (0, 0)
    assert Bag.of([[], []]).table({"a": 0}).toarray().tolist() == [[0], [0]]
