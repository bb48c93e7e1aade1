"""How far the parameters are known: intervals of class probabilities, from draws of the parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import ceil

import numpy as np
from numpy.typing import NDArray

from likely.engine import Answers, Chunk, Engine, MapTask, by_pieces
from likely.errors import LikelyError
from likely.estimator.fitted import generator
from likely.evidence import Intervals
from likely.infer import bayes_rule
from likely.models.groups.independent import Independent
from likely.models.groups.record import GroupRecord
from likely.table.accepted import RandomState
from likely.table.column.block import Block
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
    engine: Engine,
) -> Intervals:
    """Draw the parameters from their posterior, the same for all rows, and ask Bayes' rule at every draw."""
    check_interval(level, draws)
    g = len(record.classes)
    portion = max(1, NUMBERS // (g + sum(part.distribution.n_numbers for part in record.core.parts)))
    whole, left = divmod(draws, portion)
    sizes = [portion] * whole + [left] * (left > 0)
    seeds = generator(draws, random_state).integers(1 << 62, size=len(sizes)).tolist()

    @lru_cache(maxsize=1)  # a single portion is drawn once, however many pieces the table has
    def drawn(seed: int, n: int) -> Independent:
        return record.drawn(np.random.default_rng(seed), n)

    def answer(rows: Chunk[tuple[Block, ...]]) -> Answers:
        portions = (
            engine.map(rows, PosteriorAtDraws(drawn(seed, n), g, n))[0]
            for seed, n in zip(seeds, sizes, strict=True)
        )
        return engine.map(Chunk(joined(portions, draws), rows.n, g * draws), IntervalsOfDraws(g, level))

    rows = Chunk(record.blocks(frame), frame.n, frame.width)
    lower, upper, cases = by_pieces(rows, max(1, ANSWERS // (g * draws)), answer)
    return Intervals(record.classes, level, draws, probability, lower, upper, cases, frame.library)


def joined(portions: Iterator[Floats], draws: int) -> Floats:
    """Portions of draws, each (b, g, some), as all of them, (b, g, draws)."""
    first = next(portions)
    if first.shape[2] == draws:
        return first
    probs, done = np.empty((*first.shape[:2], draws)), 0
    for portion in chain([first], portions):
        probs[:, :, done : done + portion.shape[2]] = portion
        done += portion.shape[2]
    return probs


@dataclass(frozen=True, slots=True)
class PosteriorAtDraws(MapTask[tuple[Block, ...]]):
    """P(class given row) at every draw of the parameters."""

    drawn: Independent
    n_classes: int
    draws: int

    def width(self, stored: int) -> int:
        """A row's cells, and its probabilities at all draws."""
        return stored + self.n_classes * self.draws

    def answers(self, n: int) -> Answers:
        """(n, g, draws)."""
        return (np.empty((n, self.n_classes, self.draws)),)

    def step(self, data: tuple[Block, ...], start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        g, b = self.n_classes, stop - start
        joint = self.drawn.by_class(self.drawn.log_joint(data, start, stop)[0])  # (b, draws * g)
        log_posterior, log_evidence = bayes_rule(joint.reshape(-1, g))
        gone = ~(log_evidence > -np.inf)
        if gone.any():  # at a draw where the row is impossible, the base rate is all that is left to say
            log_rates = self.drawn.log_rates.reshape(self.draws, g)
            log_posterior[gone] = np.tile(log_rates, (b, 1))[gone]
        out[0][:] = np.exp(log_posterior).reshape(b, self.draws, g).transpose(0, 2, 1)


@dataclass(frozen=True, slots=True)
class IntervalsOfDraws(MapTask[Floats]):
    """The ends of the intervals and the effective cases, of probabilities (n, g, draws)."""

    n_classes: int
    level: float

    def answers(self, n: int) -> Answers:
        """Lower and upper end, and cases, each (n, g)."""
        return tuple(np.empty((n, self.n_classes)) for _ in range(3))

    def step(self, data: Floats, start: int, stop: int, out: Answers) -> None:
        """Of some rows."""
        for array, answers in zip(
            out, interval_of(data[start:stop].transpose(1, 0, 2), self.level), strict=True
        ):
            array[:] = answers.T


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
