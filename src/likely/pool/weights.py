"""How much each member counts: the weights of a pool of scores, learnt from held-out rows.

score = sum over members of weight x score of the member + a constant. The weights are drawn towards shares
that favour the members with the lowest loss, the more the fewer rows there are. Scores of classes are
log-probabilities but for what all classes share, so that this is a weighted product of probabilities.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likely.pool.descent import descend
from likely.pool.rows import TaughtRows

Floats = NDArray[np.float64]

SHARPNESS = 8.0  # how fast a member's share beforehand falls with its loss
STRENGTH = 1e4  # of the shares beforehand, in rows of each member: it falls with the rows that there are


def shares_beforehand(losses: Floats) -> Floats:
    """What members count for before the weights are learnt, (m,).

    >>> shares_beforehand(np.array([0.5, 0.5])).tolist()
    [0.5, 0.5]
    """
    best = max(float(losses.min()), 1e-12)
    share = np.exp(-SHARPNESS * (losses / best - 1))
    return np.asarray(share / share.sum())


def pool_weights(scores: Floats, losses: Floats, rows: TaughtRows) -> tuple[Floats, Floats]:
    """Weights (m,) and constants (t,) of members' held-out scores (m, n, t)."""
    m, _, t = scores.shape
    mean = shares_beforehand(losses)
    weight = rows.weight
    total = float(weight.sum())
    strength = float(np.clip(STRENGTH / total, 2, 150)) * m
    # Squares are measured in what the best member leaves, so that a row counts for as much as of classes.
    unit = max(2 * float(losses.min()), 1e-12) if rows.is_number else 1.0
    hold = strength * (1.25 if t == 1 else 2.5)  # one log-odds is the difference of two constants

    def loss(at: Floats) -> tuple[float, Floats]:
        w, b = at[:m], at[m:]
        value, slope = rows.goal.descent((np.tensordot(w, scores, 1) + b)[:, None], weight[:, None])
        slope = slope[:, 0] / unit
        apart = w - mean
        value = value / unit + 0.5 * strength * float(apart @ apart) + hold * float(b @ b)
        down = np.einsum("mng,ng->m", scores, slope)
        return value, np.concatenate([down + strength * apart, slope.sum(axis=0) + 2 * hold * b])

    start = np.concatenate([mean, np.zeros(t)])
    bounds: list[tuple[float | None, float | None]] = [(0.0, None)] * m + [(None, None)] * t
    at = descend(loss, start, 1e-4 * float(np.sqrt(total)), bounds)
    return at[:m], at[m:]


def pooled(scores: Floats, weights: Floats, constants: Floats) -> Floats:
    """Scores of the pool, (n, t), of those of its members, (m, n, t)."""
    return np.asarray(np.tensordot(weights, scores, 1) + constants)
