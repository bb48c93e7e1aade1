"""The columns that trees split: numbers as they are, levels by 0 and 1 or by what they say of the classes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likely.pool.reading.reading import View

Floats = NDArray[np.float64]

FEW = 6  # levels, up to which each has a column of its own
STRENGTH = 5.0  # rows of the base rate that are added to what is known of each level
MOST = 6  # classes, up to which each has a number of its own


def tree_cells(view: View) -> Floats:
    """Numbers, then levels, (n, p), NaN where missing, rounded as scikit-learn's trees round."""
    n_bins, m = view.reading.n_bins, view.reading.n_numbers
    parts = [view.numbers]
    few = [j for j in range(m, len(n_bins)) if n_bins[j] <= FEW]
    many = [j for j in range(m, len(n_bins)) if n_bins[j] > FEW]
    for j in few:
        kinds = np.arange(1 if n_bins[j] == 2 else 0, n_bins[j])
        parts.append((view.bins[:, j, None] == kinds).astype(np.float64))
    if many:
        said = view.evidence(STRENGTH)[:, many]  # (n, levels, g)
        g = said.shape[2]
        said = said[..., 1:] - said[..., :1] if g == 2 else said[..., :MOST] if g <= MOST else said
        if g > MOST:
            parts.append(view.bins[:, many].astype(np.float64))
        else:
            parts.append(said.reshape(len(said), -1))
    with np.errstate(over="ignore"):
        joined = np.concatenate(parts, axis=1).astype(np.float32)
    limit = np.finfo(np.float32).max
    return np.clip(joined, -limit, limit).astype(np.float64)
