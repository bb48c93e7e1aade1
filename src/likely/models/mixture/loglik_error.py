"""How far a log-likelihood may be off through rounding."""

from __future__ import annotations

import numpy as np

from likely.dist import MultivariateNormal
from likely.dist.numeric.matrices import Factor
from likely.models.groups.record import Record

EPS = float(np.finfo(np.float64).eps)


def rounding(record: Record) -> float:
    """In nats, of all rows: what rounding can do where a joint normal is flat, or small beside all rows.

    What a column varies once the others are known is a difference of numbers as large as its whole variance,
    and so is the distance of a row from a group: they have as many digits less as they are smaller.
    """
    found, n = 0.0, record.tally.groups
    for part in record.core.parts:
        if isinstance(part, MultivariateNormal):
            mean = n @ part.mean / n.sum()
            variance = n @ (part.variance + (part.mean - mean) ** 2) / n.sum()
            times = (np.square(Factor.of(part.covariance).whiten) * variance).sum(axis=(1, 2))
            found += float(n @ times) * EPS * len(mean)
    return found
