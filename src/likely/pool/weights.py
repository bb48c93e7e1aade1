"""How much each member counts: the weights of a pool of log-probabilities, learnt from held-out rows.

log p(class) = sum over members of weight x log p_member(class) + a constant of the class. The weights are
drawn towards shares that favour the members with the lowest loss, the more the fewer rows there are.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likely.pool.descent import descend
from likely.pool.scores import log_loss, log_probabilities

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

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


def pool_weights(log_p: Floats, codes: Ints, weight: Floats) -> tuple[Floats, Floats]:
    """Weights (m,) and constants (g,) of members' held-out log-probabilities (m, n, g)."""
    m, n, g = log_p.shape
    losses = np.array([log_loss(own, codes, weight) for own in log_p])
    mean = shares_beforehand(losses)
    rows = float(weight.sum())
    strength = float(np.clip(STRENGTH / rows, 2, 150)) * m
    each = np.arange(n)

    def loss(at: Floats) -> tuple[float, Floats]:
        w, b = at[:m], at[m:]
        pooled = log_probabilities(np.tensordot(w, log_p, 1) + b)
        slope = np.exp(pooled)
        value = -float(weight @ pooled[each, codes])
        slope[each, codes] -= 1.0
        slope *= weight[:, None]
        apart = w - mean
        value += 0.5 * strength * float(apart @ apart) + 2.5 * strength * float(b @ b)
        down = np.einsum("mng,ng->m", log_p, slope)
        return value, np.concatenate([down + strength * apart, slope.sum(axis=0) + 5 * strength * b])

    start = np.concatenate([mean, np.zeros(g)])
    bounds: list[tuple[float | None, float | None]] = [(0.0, None)] * m + [(None, None)] * g
    at = descend(loss, start, 1e-4 * float(np.sqrt(rows)), bounds)
    return at[:m], at[m:]


def pooled(log_p: Floats, weights: Floats, constants: Floats) -> Floats:
    """Log-probabilities of the pool, (n, g), of those of its members, (m, n, g)."""
    return log_probabilities(np.tensordot(weights, log_p, 1) + constants)
