"""A look at some of the rows, to begin near the end."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.infer.logistic import Logistic
from likely.infer.newton import Penalty, newton
from likely.infer.standard import Standard

Floats = NDArray[np.float64]

LEAST = 1 << 10  # rows: fewer are not worth a look of their own
SHARE = 8  # one row of so many is looked at first
ROWS_A_PARAMETER = 10, 400  # no fewer than that, and no more


def pilot(
    likelihood: Logistic, penalty: Penalty, first: Floats, total: float
) -> tuple[Floats, Floats | None]:
    """Where some of the rows lead, and the curvature that they suggest for all, whose weight is `total`.

    They too begin where some of them lead. The curvature of m rows is off by about the square root of
    parameters / m, and each step of all rows shrinks the gradient to that share.
    """
    z, (least, most) = likelihood.z, (times * len(first) for times in ROWS_A_PARAMETER)
    m = min(z.n // SHARE, most)
    if m < max(least, LEAST):
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
    mine = share * total
    start, curvature = pilot(some, less, first, mine)
    run = newton(some, start, less, tol=1e-3 * mine, max_iter=20, hessian=curvature)
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
