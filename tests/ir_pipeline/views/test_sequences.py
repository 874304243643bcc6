import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_pipeline.views.sequences import FUNCTION_PASSES as PASSES
from ir_pipeline.views.sequences import PIPELINE_PARTS, random_sequence


@pytest.mark.parametrize("passes", [PASSES, PIPELINE_PARTS])
@given(seed=st.text())
def test_a_sequence_is_a_reproducible_part_of_the_list(passes, seed):
    sequence = random_sequence(seed, passes)
    assert sequence == random_sequence(seed, passes)
    assert all(sequence.count(name) <= passes.count(name) for name in sequence)


def test_sequences_range_from_nothing_to_everything():
    lengths = [len(random_sequence(str(i), PASSES)) for i in range(400)]
    assert min(lengths) <= 2
    assert max(lengths) >= len(PASSES) - 2
    assert len(PASSES) / 2 - 3 < sum(lengths) / len(lengths) < len(PASSES) / 2 + 3
    assert any(
        random_sequence(str(i), PASSES) != sorted(random_sequence(str(i), PASSES), key=PASSES.index)
        for i in range(9)
    )
