import torch

from oscar.attention.parametric_bias import AlibiBias, KerpleLogBias, KerplePowerBias

OFFSETS = torch.tensor([-3, 0, 1, 1000])
DISTANCES = torch.tensor([3.0, 0.0, 1.0, 1000.0])


def test_alibi_begins_with_the_slopes_of_the_paper():
    slopes = torch.tensor([2.0**-h for h in range(1, 9)])
    rpe = AlibiBias(8)
    torch.testing.assert_close(rpe.decay, slopes)
    torch.testing.assert_close(rpe.bias(OFFSETS), -slopes[:, None] * DISTANCES)


def test_kerple_worked_by_hand():
    log, power = KerpleLogBias(1), KerplePowerBias(1)
    with torch.no_grad():
        log.log_scale.fill_(torch.tensor(2.0).log())
        log.log_rates.fill_(torch.tensor(0.5).log())
        power.log_rates.fill_(torch.tensor(3.0).log())
        power.logit_power.fill_(-torch.tensor(3.0).log())  # r₂ = 2 / (1 + 3)
    torch.testing.assert_close(log.bias(OFFSETS)[0], -2 * torch.log(1 + DISTANCES / 2))
    torch.testing.assert_close(power.bias(OFFSETS)[0], -3 * DISTANCES.sqrt())


def test_power_begins_as_alibi():
    torch.testing.assert_close(KerplePowerBias(4).bias(OFFSETS), AlibiBias(4).bias(OFFSETS))


def test_only_alibi_decays_at_a_constant_rate_and_none_becomes_constant():
    assert AlibiBias(2).decay is not None
    assert KerpleLogBias(2).decay is None
    assert KerplePowerBias(2).decay is None
    assert AlibiBias(2).tail is None


def test_the_power_has_a_gradient_at_distance_zero():
    rpe = KerplePowerBias(2)
    rpe.bias(torch.tensor([0, 0])).sum().backward()
    assert all((parameter.grad == 0).all() for parameter in rpe.parameters())
