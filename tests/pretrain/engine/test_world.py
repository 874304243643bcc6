import torch

from pretrain.engine.world import start


def test_one_process_needs_no_set_up(world):
    assert (world.rank, world.size, world.leads) == (0, 1, True)
    assert world.device.type == ("cuda" if torch.cuda.is_available() else "cpu")
    assert world.any(True)
    assert not world.any(False)
    assert world.lead_first(lambda: 7) == 7
    assert start() == world


def test_the_sum_over_one_process_is_a_copy(world):
    values = torch.tensor([1.0, 2.0])
    total = world.sum(values)
    assert torch.equal(total, values)
    total += 1
    assert values.tolist() == [1, 2]
