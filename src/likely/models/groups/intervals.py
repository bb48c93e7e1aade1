"""How far the parameters are known: intervals of class probabilities, from draws of the parameters."""

from __future__ import annotations

from functools import lru_cache
from math import ceil

import numpy as np
from numpy.typing import NDArray

from likely.engine import map_rows
from likely.errors import LikelyError
from likely.evidence import Intervals
from likely.infer import bayes_rule
from likely.models.groups.independent import Independent
from likely.models.groups.record import GroupRecord
from likely.models.groups.sampling import generator
from likely.table.accepted import RandomState
from likely.table.frame import Frame

Floats = NDArray[np.float64]

NUMBERS = 1 << 22  # parameters that are drawn at a time: 32 MB
DUST = (8 * float(np.finfo(np.float64).eps)) ** 2  # relative variance that rounding alone can make
ANSWERS = 1 << 24  # class probabilities that wait for their quantiles: 128 MB


def predict_interval(
    record: GroupRecord,
    frame: Frame,
    probability: Floats,
    level: float,
    draws: int,
    random_state: RandomState,
    n_jobs: int | None,
) -> Intervals:
    """Draw the parameters from their posterior, the same for all rows, and ask Bayes' rule at every draw."""
    check_interval(level, draws)
    g = len(record.classes)
    lower, upper, cases = (np.empty((frame.n, g)) for _ in range(3))
    portion = max(1, NUMBERS // (g + sum(part.distribution.n_numbers for part in record.core.parts)))
    starts = range(0, draws, portion)
    seeds = generator(draws, random_state).integers(1 << 62, size=len(starts)).tolist()

    @lru_cache(maxsize=1)  # a single portion is drawn once, however many pieces the table has
    def drawn(seed: int, n: int) -> Independent:
        return record.drawn(np.random.default_rng(seed), n)

    piece = max(1, ANSWERS // (g * draws))
    for first in range(0, frame.n, piece):
        rows = slice(first, min(first + piece, frame.n))
        probs = np.empty((g, rows.stop - first, draws))
        for start, seed in zip(starts, seeds, strict=True):
            at = slice(start, min(start + portion, draws))
            _ask(record, frame, rows, drawn(seed, at.stop - start), probs[:, :, at], n_jobs)
        sum_up(probs, level, (lower[rows], upper[rows], cases[rows]), n_jobs)
    return Intervals(record.classes, level, draws, probability, lower, upper, cases, frame.library)


def _ask(
    record: GroupRecord, frame: Frame, rows: slice, drawn: Independent, out: Floats, n_jobs: int | None
) -> None:
    """P(class given row) at every draw, into (g, rows, draws)."""
    g, blocks, draws = len(out), record.blocks(frame), out.shape[2]
    log_rates = drawn.log_rates.reshape(draws, g)

    def step(start: int, stop: int) -> None:
        joint = drawn.log_joint(blocks, rows.start + start, rows.start + stop)[0]
        joint = drawn.by_class(joint)  # (b, draws * g)
        log_posterior, log_evidence = bayes_rule(joint.reshape(-1, g))
        gone = ~(log_evidence > -np.inf)
        if gone.any():  # at a draw where the row is impossible, the base rate is all that is left to say
            log_posterior[gone] = np.tile(log_rates, (stop - start, 1))[gone]
        out[:, start:stop] = np.exp(log_posterior.T).reshape(g, -1, draws)

    map_rows(rows.stop - rows.start, frame.width + g * draws, step, n_jobs=n_jobs)


def sum_up(probs: Floats, level: float, out: tuple[Floats, Floats, Floats], n_jobs: int | None) -> None:
    """The ends of the intervals and the effective cases, each into (rows, g)."""

    def step(start: int, stop: int) -> None:
        for array, answer in zip(out, interval_of(probs[:, start:stop], level), strict=True):
            array[start:stop] = answer.T

    map_rows(probs.shape[1], probs.shape[0] * probs.shape[2], step, n_jobs=n_jobs)


def interval_of(probs: Floats, level: float) -> tuple[Floats, Floats, Floats]:
    """Of draws of class probabilities, (g, b, draws): lower ends, upper ends and cases, each (g, b)."""
    lower, upper = np.quantile(probs, [(1 - level) / 2, (1 + level) / 2], axis=-1)
    return lower, upper, effective_cases(probs)


def effective_cases(probs: Floats) -> Floats:
    """Of draws of class probabilities, (g, b, draws), the cases p (1 - p) / Var(p) - 1 of each, (g, b).

    As many as would leave one in as much doubt, had they been counted: of Beta(a, b) it is a + b.

    >>> effective_cases(np.array([[[0.1, 0.3]], [[0.9, 0.7]]])).round(2)
    array([[15.],
           [15.]])
    """
    out = np.empty(probs.shape[:2])
    for i in range(len(probs)):
        mine = probs[i]
        above = mine.mean(axis=-1) > 0.5
        if above.any():  # what is left for the others has the digits
            mine = mine.copy()
            mine[above] = np.delete(probs[:, above], i, axis=0).sum(axis=0)
        mean = mine.mean(axis=-1)
        with np.errstate(all="ignore"):
            relative = np.square(mine / mean[:, None] - 1).mean(axis=-1)  # Var(p) / p^2
            cases = (1 - mean) / (mean * relative) - 1
        out[i] = np.where((mean > 0) & (relative > DUST), cases, np.inf)
    return out


def check_level(level: object) -> None:
    """Refuse a level that is no probability."""
    if isinstance(level, bool) or not isinstance(level, int | float | np.number) or not 0 < level < 1:
        raise LikelyError(
            f"level={level!r}: give the probability to cover, above 0 and below 1, such as 0.9."
        )


def check_interval(level: float, draws: object) -> None:
    """Refuse a level that is no probability, and draws that are too few for it."""
    check_level(level)
    least = ceil(round(2 / (1 - float(level)), 9))  # one draw beyond either end
    if not isinstance(draws, int | np.integer) or draws < least:
        raise LikelyError(f"draws={draws!r}: for level={level!r} give a whole number from {least} on.")
