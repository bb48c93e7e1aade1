"""Logarithms that behave: log 0 without a warning, powers without dust, log-gammas that keep their digits."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.stats.groups import Floats

# From here on Stirling's series with the terms below is exact to the last bit.
_LARGE = 16.0
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188)

# The log of 1e-304. Not far below, numbers have no longer all their digits, and to make one and to work
# with it takes processors up to 75 times as long; groups that lie apart have many such rows.
_LEAST = -700.0


def log(p: Any) -> Floats:
    """The logarithm, -inf at 0.

    >>> log([0.0, 1.0])
    array([-inf,   0.])
    """
    with np.errstate(divide="ignore"):
        return np.log(np.asarray(p, np.float64))


def powers(logs: Floats, out: Floats | None = None) -> Floats:
    """Numbers by their logs; what is below 1e-304 is 0.

    >>> powers(np.array([0.0, -690.0, -740.0, -np.inf]))
    array([1.00000000e+000, 2.17173828e-300, 0.00000000e+000, 0.00000000e+000])
    """
    if not logs.size or logs.min() >= _LEAST:
        return np.exp(logs, out=out)
    kept = logs >= _LEAST
    powers = np.maximum(logs, _LEAST, out=out)
    np.exp(powers, out=powers)
    return np.multiply(powers, kept, out=powers)


def special(function: str, *values: ArrayLike) -> Floats:
    """A function of scipy.special, which is loaded when it is first needed.

    >>> special("betainc", 1, 1, 0.25)
    array(0.25)
    """
    import scipy.special

    return np.asarray(getattr(scipy.special, function)(*values), np.float64)


def x_log_y(x: ArrayLike, y: ArrayLike) -> Floats:
    """x log y, 0 where x is 0, whatever y."""
    return special("xlogy", x, y)


def log_gamma(x: ArrayLike) -> Floats:
    """log Gamma(x)."""
    return special("gammaln", x)


def digamma(x: ArrayLike) -> Floats:
    """The derivative of log Gamma at x."""
    return special("digamma", x)


def log_rising(a: ArrayLike, x: ArrayLike) -> Floats:
    """log Gamma(a + x) - log Gamma(a) for a, x >= 0; 0 where x is 0.

    The difference of two large log-gammas has lost its digits by a = 1e6, as many rows as a
    posterior easily stands for; Stirling's series has the difference itself.

    >>> np.exp(log_rising(2.0, 3.0)).round(12)  # 2 * 3 * 4
    np.float64(24.0)
    >>> log_rising(1e30, 0.5) - 0.5 * np.log(1e30)
    np.float64(0.0)
    """
    a, x = np.asarray(a, np.float64), np.asarray(x, np.float64)
    large = a >= _LARGE
    with np.errstate(all="ignore"):
        log_ratio = (a - 0.5) * np.log1p(x / a) + x * np.log(a + x) - x + _tail(a + x) - _tail(a)
        if not large.all():
            log_ratio = np.where(large, log_ratio, log_gamma(a + x) - log_gamma(a))
    return np.where(x == 0, 0.0, log_ratio)[()]


def _tail(z: Floats) -> Floats:
    """What log Gamma has beyond (z - 1/2) log z - z + const."""
    inverse = 1 / z
    return inverse * np.polyval(_STIRLING[::-1], inverse * inverse)
