"""Sharpness: how much predictions commit themselves, whether or not they are right."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.distribution import probability
from likely.dist.numeric.logs import x_log_y
from likely.errors import LikelyError
from likely.score.estimate import Score, mean_score
from likely.score.outcomes import weights


def sharpness(p: ArrayLike, *, weight: ArrayLike | None = None) -> Score:
    """The mean entropy of the predicted distributions, in bits: the lower, the sharper; 0 is certainty.

    Of calibrated predictions the sharpest are best. It needs no outcomes.

    Parameters
    ----------
    p : (n, g) or (n,) probabilities
        One column a class; a single column is the probability of one of two classes.
    weight : (n,) or None
        How much each row counts.

    Examples
    --------
    >>> sharpness([0.5, 1.0])
    0.500 ± 0.500 from 2 rows
    """
    given = probability("p", p)
    if given.ndim not in (1, 2) or not given.size:
        raise LikelyError(f"p has the shape {given.shape}: give one row of probabilities for each row.")
    table = np.column_stack([1 - given, given]) if given.ndim == 1 else given
    bits = -x_log_y(table, table).sum(axis=1) / np.log(2)
    return mean_score(np.maximum(bits, 0.0), weights(weight, len(table)))
