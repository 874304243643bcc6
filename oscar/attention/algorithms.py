"""The algorithms by name, and which of them can do with which relative positional encoding."""

from torch import Tensor

from oscar.attention.attended import Attended
from oscar.attention.band import band
from oscar.attention.choosing import choose
from oscar.attention.dense import dense
from oscar.attention.fft import fft
from oscar.attention.linear import linear
from oscar.attention.reference_fft import reference_fft
from oscar.attention.relative_bias import RelativeBias, log_line
from oscar.attention.scan import scan
from static_analysis.errors import OscarError

_BY_LINE = {"dense": dense, "band": band, "fft": fft, "reference_fft": reference_fft}
ALGORITHMS = ("auto", "dense", "band", "scan", "linear", "fft", "reference_fft")


def toeplitz_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    rpe: RelativeBias | None,
    causal: bool,
    algorithm: str,
) -> Attended:
    """Attend with weights c_{j-i} φ(q_i)ᵀ φ(k_j), all of them exact.

    Args:
        query: φ(q), (batch, heads, n, m).
        key: φ(k), (batch, heads, keys, m), zero where padded.
        value: (batch, heads, keys, d).
        rpe: relative positional encoding, or None for c = 1.
        causal: whether c is zero for keys after the query.
        algorithm: a name of `ALGORITHMS`.

    Raises:
        OscarError: the algorithm cannot do with the encoding, or there are positions but not as
            many keys as queries.
    """
    n, keys = query.shape[2], key.shape[2]
    heads = query.shape[1]
    if n != keys and (causal or rpe is not None):
        raise OscarError(
            f"{n} queries and {keys} keys have no relative positions: attend without rpe and causal"
        )
    if algorithm == "auto":
        algorithm = choose(usable_algorithms(rpe, causal), query, value, rpe, causal)
    elif algorithm not in usable_algorithms(rpe, causal):
        raise OscarError(f"{algorithm} cannot do with these relative positions: use auto")
    if n != keys or algorithm == "linear":
        return linear(query, key, value)
    if algorithm == "scan":
        return scan(query, key, value, decay_rates(rpe, query), causal)
    return _BY_LINE[algorithm](query, key, value, log_line(rpe, heads, n, query), causal)


def usable_algorithms(rpe: RelativeBias | None, causal: bool) -> list[str]:
    """Give the algorithms that can do with an encoding."""
    usable = ["dense", "fft", "reference_fft"]
    if rpe is None or rpe.tail is not None:
        usable.append("band")
    if rpe is None or rpe.decay is not None:
        usable.append("scan")
    if rpe is None and not causal:
        usable.append("linear")
    return usable[::-1]


def decay_rates(rpe: RelativeBias | None, like: Tensor) -> Tensor:
    """Give s of coefficients exp(-s·distance), (heads,), zero without an encoding."""
    rates = None if rpe is None else rpe.decay
    return like.new_zeros(like.shape[1]) if rates is None else rates.to(like.dtype)
