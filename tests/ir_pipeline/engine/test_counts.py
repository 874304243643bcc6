from collections import Counter

from ir_pipeline.engine.counts import Counts


def test_counts_add_up_and_survive_json():
    total = Counts()
    total.add(Counts(units=1, rows=3, dropped=Counter(b=2)))
    total.add(Counts(units=1, functions=2, dropped=Counter(a=1, b=1), errors=Counter(x=1)))
    assert total == Counts(2, 2, 3, 0, Counter(a=1, b=3), Counter(x=1))
    assert list(total.as_json()["dropped"]) == ["a", "b"]
    assert Counts.from_json(total.as_json()) == total
