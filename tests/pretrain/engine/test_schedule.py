import pytest

from pretrain.config import TrainingConfig
from pretrain.engine.schedule import learning_rate


def rates(schedule: str) -> list[float]:
    config = TrainingConfig(steps=100, warmup=0.1, learning_rate=2.0, schedule=schedule)
    return [learning_rate(config, step) for step in range(101)]


@pytest.mark.parametrize("schedule", ["linear", "cosine", "constant"])
def test_it_rises_along_a_line_to_its_peak(schedule):
    assert rates(schedule)[:10] == pytest.approx([(step + 1) / 5 for step in range(10)])
    assert rates(schedule)[10] == 2


def test_then_it_falls_along_a_line_or_half_a_cosine_or_stays():
    assert rates("linear")[10:] == pytest.approx([2 * (1 - i / 90) for i in range(91)])
    cosine = rates("cosine")
    assert cosine[55] == pytest.approx(1)
    assert cosine[100] == pytest.approx(0)
    assert cosine[25] + cosine[85] == pytest.approx(2)
    assert cosine[10:] == sorted(cosine[10:], reverse=True)
    assert set(rates("constant")[10:]) == {2.0}


@pytest.mark.parametrize("schedule", ["linear", "cosine", "constant"])
def test_a_single_step_has_a_learning_rate(schedule):
    assert learning_rate(TrainingConfig(steps=1, schedule=schedule), 0) > 0
