import pytest
import torch

from pretrain.config import TrainingConfig, TrainingError


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("steps", 0),
        ("steps", 1.5),
        ("batch_size", -1),
        ("learning_rate", 0.0),
        ("learning_rate", float("nan")),
        ("warmup", 1.0),
        ("weight_decay", -0.1),
        ("clip", 0.0),
        ("mask_rate", 0.5),
        ("queue_size", 0),
        ("temperature", 0.0),
        ("momentum", 1.0),
        ("min_instructions", 0),
        ("seed", -1),
        ("minutes", 0.0),
        ("precision", "fp8"),
        ("zero_stage", 3),
        ("checkpoint_every", 0),
    ],
)
def test_an_option_out_of_range_is_named(name, value):
    with pytest.raises(TrainingError, match=f"{name} is"):
        TrainingConfig(**{name: value})


def test_fp16_is_refused_on_a_cpu_with_what_to_do_instead():
    config = TrainingConfig(precision="fp16")
    with pytest.raises(TrainingError, match=r"fp16 needs a GPU; on a CPU use .*bf16"):
        config.check_device(torch.device("cpu"))
    config.check_device(torch.device("cuda"))
    TrainingConfig(precision="bf16").check_device(torch.device("cpu"))


def test_the_learning_rate_rises_to_its_peak_and_falls_to_almost_zero():
    config = TrainingConfig(steps=100, warmup=0.1, learning_rate=1.0)
    rates = [config.learning_rate_at(step) for step in range(100)]
    assert rates[:10] == pytest.approx([(step + 1) / 10 for step in range(10)])
    assert rates[10] == 1.0
    assert rates[10:] == sorted(rates[10:], reverse=True)
    assert rates[-1] == pytest.approx(1 / 90)
    assert config.learning_rate_at(100) == 0


def test_a_single_step_has_a_learning_rate():
    assert TrainingConfig(steps=1).learning_rate_at(0) > 0
