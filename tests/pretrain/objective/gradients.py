"""Run by torchrun: the gradients of one step, added up over the ranks, into a file.

torchrun --nproc-per-node N gradients.py CONTRAST FILE
"""

import sys

import torch
import torch.distributed

from oscar.batching import collate
from oscar.config import OscarConfig
from oscar.encoded import EncodedFunction
from pretrain.config import TrainingConfig
from pretrain.data.batches import PairBatch
from pretrain.data.masking import IGNORED, mask_batch
from pretrain.objective.objective import build_objective

FUNCTIONS = 6
SHAPE = OscarConfig.preset("tiny", instruction_vocab_size=30, environment_vocab_size=30)


def function(number: int) -> EncodedFunction:
    entries = [[3 + (number + i * (1 + number)) % 16, 20 + i % 3] for i in range(5 + number)]
    return EncodedFunction.of(entries, entries, [(i, i + 1, i + 1) for i in range(len(entries))])


def part(places: list[int]) -> PairBatch:
    functions = [function(place) for place in places]
    query = mask_batch(functions, SHAPE, 0.3, places)
    hidden = [
        int((x != IGNORED).sum()) for x in (query.instruction_labels, query.environment_labels)
    ]
    totals = torch.tensor([*hidden, len(places)], dtype=torch.float32)
    key = collate([function(place + 1) for place in places], SHAPE)
    where = torch.tensor(places)
    return PairBatch(query, key, where % 5, where, totals)


def main(contrast: str, target: str) -> None:
    torch.distributed.init_process_group("gloo")
    rank, size = torch.distributed.get_rank(), torch.distributed.get_world_size()
    torch.manual_seed(0)
    config = TrainingConfig(contrast=contrast, queue_size=16)
    model = build_objective(SHAPE, config, torch.device("cpu"))
    # Of uneven size, the first rank has the last functions.
    mine = [[[0, 1, 2, 3, 4, 5]], [[4, 5], [0, 1, 2, 3]]][size - 1][rank]
    batch = part(mine)
    totals = batch.totals.clone()
    torch.distributed.all_reduce(totals)
    batch = PairBatch(batch.query, batch.key, batch.classes, batch.places, totals)
    model.contrast.begin([batch], torch.arange(FUNCTIONS) % 5)
    figures = model(batch)
    figures["loss"].backward()
    sums = [weight.grad for weight in model.parameters()]
    sums += [value.detach().float() for value in figures.values()]
    for value in sums:
        torch.distributed.all_reduce(value)
    if rank == 0:
        torch.save(sums, target)
    # A process that ends while its group stands may be aborted by the group's threads.
    torch.distributed.barrier()
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main(*sys.argv[1:])
