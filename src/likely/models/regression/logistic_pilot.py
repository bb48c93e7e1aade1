"""A look at some of the rows, to begin near the end."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.infer.logistic import Logistic
from likely.infer.newton import Penalty, newton
from likely.infer.standard import Standard

Floats = NDArray[np.float64]

PILOT = 1 << 12  # rows that are looked at first, at least, if there are many times more
ROWS_A_PARAMETER = 20
MANY = 4


def pilot(
    likelihood: Logistic, penalty: Penalty, first: Floats, total: float
) -> tuple[Floats, Floats | None]:
    """Where some of the rows lead, and the curvature that they suggest for all, whose weight is `total`."""
    z, m = likelihood.z, max(PILOT, ROWS_A_PARAMETER * len(first))
    if z.n < MANY * m:
        return first, None
    chosen = np.sort(np.random.default_rng(0).choice(z.n, m, replace=False))
    codes = likelihood.codes[chosen]
    weight = None if likelihood.weight is None else likelihood.weight[chosen]
    if len(np.unique(codes)) < likelihood.n_classes or (weight is not None and not weight.all()):
        return first, None
    rows = _some_rows(z, chosen)
    few = Standard(m, z.width, lambda start, stop: rows[start:stop], z.centre, z.scale, z.n_jobs)
    some = Logistic(few, codes, likelihood.n_classes, weight)
    share = (m if weight is None else float(weight.sum())) / total
    weak = np.full(penalty.precision.shape[0], 1.0)  # rows that can be told apart must not lead to infinity
    less = Penalty(
        penalty.mean,
        penalty.precision * share + (weak if penalty.precision.ndim == 1 else np.diag(weak)),
        penalty.rate * share,
        penalty.centre,
    )
    run = newton(some, first, less, tol=1e-3 * m, max_iter=20)
    assert run.hessian is not None
    return run.at, (run.hessian - less.matrix) / share


def _some_rows(z: Standard, chosen: NDArray[np.intp]) -> Any:
    """These rows, in ascending order, dense or sparse."""
    from scipy.sparse import vstack

    found = []
    for start in range(0, z.n, 1 << 14):
        inside = chosen[np.searchsorted(chosen, start) : np.searchsorted(chosen, start + (1 << 14))] - start
        if len(inside):
            found.append(z.rows(start, min(start + (1 << 14), z.n))[inside])
    return np.concatenate(found) if isinstance(found[0], np.ndarray) else vstack(found, format="csr")
