import pytest
import torch

from pretrain.config import TrainingConfig, TrainingError


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("steps", 0),
        ("steps", 1.5),
        ("batch_size", -1),
        ("token_budget", 0),
        ("workers", -1),
        ("learning_rate", 0.0),
        ("learning_rate", float("nan")),
        ("warmup", 1.0),
        ("schedule", "stairs"),
        ("weight_decay", -0.1),
        ("clip", 0.0),
        ("masking", "words"),
        ("mask_rate", 0.5),
        ("instruction_weight", -1.0),
        ("contrast", "triplet"),
        ("queue_size", 0),
        ("temperature", 0.0),
        ("momentum", 1.0),
        ("min_instructions", 0),
        ("validation_share", 0.5),
        ("seed", -1),
        ("minutes", 0.0),
        ("precision", "fp8"),
        ("zero_stage", 4),
        ("checkpoint_every", 0),
        ("validate_every", 0),
    ],
)
def test_an_option_out_of_range_is_named(name, value):
    with pytest.raises(TrainingError, match=f"{name} is"):
        TrainingConfig(**{name: value})


def test_what_a_cpu_cannot_do_is_refused_with_what_to_do_instead():
    cpu = torch.device("cpu")
    with pytest.raises(TrainingError, match=r"fp16 needs a GPU; on a CPU use .*bf16"):
        TrainingConfig(precision="fp16").resolved(cpu)
    for precision, used in (("auto", "fp32"), ("fp32", "fp32"), ("bf16", "bf16")):
        assert TrainingConfig(precision=precision).resolved(cpu).precision == used


@pytest.mark.parametrize(("has_bf16", "best"), [(True, "bf16"), (False, "fp16")])
def test_a_gpu_trains_in_the_best_precision_that_it_has(monkeypatch, has_bf16, best):
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda **_: has_bf16)
    gpu = torch.device("cuda", 0)
    assert TrainingConfig().resolved(gpu).precision == best
    assert TrainingConfig(precision="fp16").resolved(gpu).precision == "fp16"
    if not has_bf16:
        with pytest.raises(TrainingError, match="this GPU has no bf16"):
            TrainingConfig(precision="bf16").resolved(gpu)


def test_offload_needs_something_shared_out():
    with pytest.raises(TrainingError, match="offload needs a zero_stage"):
        TrainingConfig(offload=True)
    TrainingConfig(offload=True, zero_stage=1)


def test_every_process_has_a_function_to_read():
    TrainingConfig(batch_size=2).check_processes(2)
    with pytest.raises(TrainingError, match="2 functions cannot be shared by 3 processes"):
        TrainingConfig(batch_size=2).check_processes(3)
