"""How sure is a mean over queries? Bootstrap intervals."""

import numpy as np
from scipy.stats import bootstrap

RESAMPLES = 1000


def confidence_interval(
    values: np.ndarray, clusters: np.ndarray | None = None, seed: int = 0
) -> tuple[float, float]:
    """95 % percentile bootstrap interval of the mean of `values` (n,).

    Queries of one problem succeed and fail together. With `clusters`, whole clusters are drawn
    instead of single values, and the interval says what to expect of other problems.

    Args:
        values: what each query got.
        clusters: (n,) label of the cluster each belongs to.
        seed: of the resampling.
    """
    if clusters is None:
        sums, sizes = values, np.ones(len(values))
    else:
        _, member = np.unique(clusters, return_inverse=True)
        sums, sizes = np.bincount(member, values), np.bincount(member).astype(float)
    if len(sums) < 2:
        return float(values.mean()), float(values.mean())
    drawn = bootstrap(
        (sums, sizes),
        lambda total, size, axis=-1: total.sum(axis) / size.sum(axis),
        paired=True,
        vectorized=True,
        n_resamples=RESAMPLES,
        batch=50,
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return float(drawn.low), float(drawn.high)
