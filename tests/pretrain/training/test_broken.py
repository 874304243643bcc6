import json
from dataclasses import dataclass

import torch
from safetensors.torch import load_file

from pretrain.config import TrainingConfig
from pretrain.data.batches import Batches
from pretrain.training.broken import named_tensors, save_step


@dataclass
class Leaf:
    ids: torch.Tensor
    lengths: list[int]


def test_tensors_are_named_by_their_way_through_the_tree():
    tree = [Leaf(torch.ones(2), [3, 4]), (Leaf(torch.zeros(1), []), "text")]
    found = dict(named_tensors(tree))
    assert list(found) == ["0.ids", "0.lengths", "1.0.ids", "1.0.lengths"]
    assert found["0.lengths"].tolist() == [3, 4]


def test_a_step_is_saved_with_all_that_the_model_read_and_where_it_came_from(
    world, melodies, small, tmp_path
):
    config = TrainingConfig(batch_size=5, token_budget=60, validation_share=0)
    step = Batches(melodies, small, config)[6]
    save_step(tmp_path / "broken", step, world)
    saved = load_file(tmp_path / "broken" / "step-00000007-rank-0.safetensors")
    facts = json.loads((tmp_path / "broken" / "step-00000007-rank-0.json").read_text())
    assert (facts["step"], facts["rank"]) == (7, 0)
    assert sum(map(len, facts["rows"])) == 5
    for number, part in enumerate(step.parts):
        assert torch.equal(
            saved[f"{number}.query.batch.layout.positions"], part.query.batch.layout.positions
        )
        labels = saved[f"{number}.query.instruction_labels"]
        assert torch.equal(labels, part.query.instruction_labels)
        assert torch.equal(saved[f"{number}.places"], part.places)
