"""Logs back to probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# The log of 1e-304. Not far below, numbers have no longer all their digits, and to make one and to work
# with it takes processors up to 75 times as long; groups that lie apart have many such rows.
LEAST = -700.0


def powers(logs: Floats, out: Floats | None = None) -> Floats:
    """Numbers by their logs; what is below 1e-304 is 0.

    >>> powers(np.array([0.0, -690.0, -740.0, -np.inf]))
    array([1.00000000e+000, 2.17173828e-300, 0.00000000e+000, 0.00000000e+000])
    """
    if not logs.size or logs.min() >= LEAST:
        return np.exp(logs, out=out)
    kept = logs >= LEAST
    powers = np.maximum(logs, LEAST, out=out)
    np.exp(powers, out=powers)
    return np.multiply(powers, kept, out=powers)
