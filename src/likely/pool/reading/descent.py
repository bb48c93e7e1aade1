"""The least of a smooth function of many numbers, by L-BFGS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

Floats = NDArray[np.float64]

STEPS = 40  # each ridge begins where the last one ended
FLAT = 1e-6  # of its value: a step that lowers it by less is the last


def descend(
    loss: Callable[[Floats], tuple[float, Floats]],
    start: Floats,
    slope: float,
    bounds: list[tuple[float | None, float | None]] | None = None,
) -> Floats:
    """Where a function, given with its gradient, has no part of the gradient above `slope`, or nearly.

    >>> descend(lambda at: (float(at @ at), 2 * at), np.array([3.0, -4.0]), 1e-9).round(6).tolist()
    [0.0, 0.0]
    """
    options: dict[str, Any] = {"maxiter": STEPS, "gtol": slope, "ftol": FLAT}
    run: Any = minimize
    return np.asarray(run(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x)
