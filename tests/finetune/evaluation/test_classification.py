import pytest

from finetune.evaluation.classification import evaluate_classification


def test_figures_by_hand():
    figures = evaluate_classification(list("aabbc"), ["a", "b", "b", "b", None])
    assert figures.error == pytest.approx(2 / 5)
    # F1 of a: 2·1·(1/2)/(3/2); of b: 2·(2/3)·1/(5/3); of c: 0.
    assert figures.macro_f1 == pytest.approx((2 / 3 + 4 / 5 + 0) / 3)
    assert (figures.items, figures.classes) == (5, 3)


@pytest.mark.parametrize(("true", "predicted"), [(["a"], []), ([], [])])
def test_there_must_be_a_prediction_an_item(true, predicted):
    with pytest.raises(ValueError, match="predictions for"):
        evaluate_classification(true, predicted)
