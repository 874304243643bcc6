from hypothesis import given
from hypothesis import strategies as st

from ir_pipeline.views.likeness import instruction_bag

INSTRUCTIONS = st.lists(st.lists(st.sampled_from(["add", "v0", "v12", "l1", "m3", "i32", "#7"])))


@given(INSTRUCTIONS, st.randoms(use_true_random=False))
def test_order_makes_no_difference(instructions, random):
    shuffled = random.sample(instructions, len(instructions))
    assert instruction_bag(shuffled) == instruction_bag(instructions)


def test_only_names_of_values_blocks_and_memory_are_forgotten():
    bag = instruction_bag([["v1", "=", "add", "v0", ",", "#1"], ["br", "l2"]])
    assert bag == instruction_bag([["br", "l0"], ["v9", "=", "add", "v3", ",", "#1"]])
    for other in (
        [["v1", "=", "add", "v0", ",", "#2"], ["br", "l2"]],
        [["v1", "=", "sub", "v0", ",", "#1"], ["br", "l2"]],
        [["v1", "=", "add", "v0", ",", "#1"], ["br", "v2"]],
        [["v1", "=", "add", "v0", ",", "@v1"], ["br", "l2"]],
        [["v1", "=", "add", "v0", ",", "#1"], ["br", "l2"], ["br", "l2"]],
    ):
        assert instruction_bag(other) != bag
