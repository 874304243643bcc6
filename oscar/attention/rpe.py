"""The relative positional encodings by name."""

from collections.abc import Callable

from oscar.attention.choices import check_choice
from oscar.attention.parametric_bias import AlibiBias, KerpleLogBias, KerplePowerBias
from oscar.attention.relative_bias import ClippedBias, FreeBias, RelativeBias, T5Bias

RELATIVE_BIASES: dict[str | None, Callable[[int], RelativeBias] | None] = {
    "t5": T5Bias,
    "clipped": ClippedBias,
    "free": FreeBias,
    "alibi": AlibiBias,
    "kerple": KerpleLogBias,
    "kerple-power": KerplePowerBias,
    None: None,
}


def make_relative_bias(
    rpe: str | RelativeBias | None, heads: int, causal: bool = False
) -> RelativeBias | None:
    """Build the relative positional encoding called `rpe` with its default reach.

    A ready-made RelativeBias passes through, for another reach; None means no bias.

    Raises:
        OscarError: there is no encoding of that name.
    """
    if isinstance(rpe, RelativeBias):
        return rpe
    check_choice("relative positional encoding", rpe, RELATIVE_BIASES)
    if rpe == "t5":
        return T5Bias(heads, causal)
    make = RELATIVE_BIASES[rpe]
    return None if make is None else make(heads)
