"""How much each member counts: the weights of a pool of scores, learnt from held-out rows.

score = sum over members of weight x score of the member + a constant. The weights are drawn towards shares
that favour the members with the lowest loss, the more the fewer rows there are. Scores of classes are
log-probabilities but for what all classes share, so that this is a weighted product of probabilities.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from likely.pool.reading.descent import descend
from likely.pool.reading.rows import TaughtRows
from likely.pool.reading.scores import by_class

Floats = NDArray[np.float64]

SHARPNESS = 20.0  # how fast a member's share beforehand falls with its loss
DOUBT = 4.0  # nats that a pool has to gain before it is believed more than the base rate
MOST_TOLD = 0.25  # of the nats that all classes hold, that a row may be told
STRENGTH = 3e3  # of the shares beforehand, in rows of each member: it falls with the rows that there are


def shares_beforehand(losses: Floats, weight: Floats, kin: Floats | float = 1.0) -> Floats:
    """What members count for before the weights are learnt, (m,), by the losses of their rows, (m, n).

    A member whose mean loss is a tenth above the best one's has e^-2 of its share, unless that much is within
    what so few rows leave to chance: z standard errors cost it no more than z^2 / 2. Those that are nearly
    the same count for a part of a member each, `kin`.

    >>> shares_beforehand(np.array([[0.4, 0.6], [0.6, 0.4]]), np.ones(2)).tolist()
    [0.5, 0.5]
    """
    total = weight.sum()
    mean = losses @ weight / total
    best = int(mean.argmin())
    apart = losses - losses[best] - (mean - mean[best])[:, None]
    error = np.sqrt(np.square(apart) @ weight) / total
    z = (mean - mean[best]) / np.maximum(error, 1e-12)
    share = kin * np.exp(-np.minimum(SHARPNESS * (mean / max(mean[best], 1e-12) - 1), z * z / 2))
    return np.asarray(share / share.sum())


def pool_weights(scores: Floats, rows: TaughtRows, kin: Floats | None = None) -> tuple[Floats, Floats]:
    """Weights (m,) and constants (t,) of members' held-out scores (m, n, t)."""
    m, _, t = scores.shape
    kin = np.ones(m) if kin is None else kin
    weight, losses = rows.weight, np.stack([rows.goal.losses(own) for own in scores])
    mean = shares_beforehand(losses, weight, kin)
    total = float(weight.sum())
    strength = float(np.clip(STRENGTH / total, 2, 150)) * float(kin.sum())
    unit = loss_unit(losses @ weight / total, rows)
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


def loss_unit(losses: Floats, rows: TaughtRows) -> float:
    """What a nat is: squares are measured in what the best member leaves, and count as much as classes."""
    return max(2 * float(losses.min()), 1e-12) if rows.is_number else 1.0


def trust(rows: TaughtRows, scores: Floats, alone: Floats, unit: float) -> float:
    """How far a pool's scores are followed, from 0 to 1, instead of those that look at no column, `alone`.

    Both are of rows that were held out. It is the probability that the pool is the right one of the two, if
    beforehand the odds against it are `DOUBT` nats: members, ridges and weights are chosen by these rows, so
    that some nats are gained even of noise. A dozen nats leave no doubt. Moreover, the classes of few rows
    hold few nats: a held-out row is not told more, in the mean, than a part, `MOST_TOLD`, of them all.
    """
    held = float(rows.weight.sum()) * rows.loss(alone) / unit
    gain = held - float(rows.weight.sum()) * rows.loss(scores) / unit
    believed = float(expit(gain - DOUBT))
    if rows.is_number:
        return believed
    told = float(rows.weight @ np.ptp(by_class(scores - alone), axis=-1) / rows.weight.sum())
    return believed * min(1.0, MOST_TOLD * held / max(told, 1e-300))


def pooled(scores: Floats, weights: Floats, constants: Floats) -> Floats:
    """Scores of the pool, (n, t), of those of its members, (m, n, t)."""
    return np.asarray(np.tensordot(weights, scores, 1) + constants)
