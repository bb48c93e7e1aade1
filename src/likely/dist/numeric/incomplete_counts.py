"""Probabilities of words (multinomial) from rows in which some counts are missing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.dist.numeric.logs import x_log_y
from likely.stats.groups import Floats
from likely.stats.sums import GapSums

MOST = 200  # steps of Newton's method; a few are enough, unless a probability falls to 0 without end
NEAR, NOISE = 1e-15, 1e-10  # moves of a probability that are none; that may be, if they no longer shrink
FARTHEST = 5.0  # how far the log of a probability moves in a step
DENSE = 1 << 22  # sets of kinds times kinds, up to which both are written out


def shares_of(stat: GapSums, counts: Floats) -> Floats:
    """The probabilities (g, d) of kinds whose words, with those imagined before, were counted so (g, d).

    They maximise the sum of counts * log p, less that of words * log P(the kinds that are known) over the
    rows with gaps: the log-likelihood, if nothing was imagined. Kinds of which no row tells have equal
    shares.
    """
    words = counts.sum(axis=1, keepdims=True)
    out = np.where(words > 0, counts / np.where(words > 0, words, 1.0), 1 / max(counts.shape[1], 1))
    for group in np.flatnonzero(stat.words.any(axis=1)):
        out[group] = _shares(stat, counts[group], stat.words[group])
    return out


def _shares(stat: GapSums, counts: Floats, words: Floats) -> Floats:
    d, seen = len(counts), words > 0
    gaps = [columns for columns, some in zip(stat.sets, seen, strict=True) if some]
    sets = _Sets.of(gaps, d)
    words = words[seen]
    told = counts.sum() - words.sum()  # in rows that tell of all kinds, or imagined
    told = told if told > 1e-12 * counts.sum() else 0.0
    untold = (counts <= 0) & (told == 0) & (sets.back(np.ones(len(words))) == 0)
    some = counts > 0
    shares = np.zeros(d)
    shares[some] = _Task(sets.only(some), counts[some], words, told).solve()
    return np.asarray(np.where(untold, 1 / d, shares * (1 - untold.sum() / d)))


@dataclass(frozen=True, slots=True)
class _Sets:
    """Which kinds are known together: sums of something over each set, and back."""

    ahead: Callable[[Floats], Floats]  # of kinds (d,), the sums over the known ones of each set, (p,)
    back: Callable[[Floats], Floats]  # of sets (p,), the sums over those in which a kind is known, (d,)
    only: Callable[[Any], _Sets]  # the same, of some of the kinds

    @classmethod
    def of(cls, gaps: list[Any], d: int) -> _Sets:
        """Of the kinds that are missing in each set."""
        from scipy.sparse import csr_array

        ends = np.cumsum([0, *map(len, gaps)])
        missing: Any = csr_array((np.ones(ends[-1]), np.concatenate(gaps), ends), (len(gaps), d))
        if len(gaps) * d <= DENSE:
            return cls._dense(1.0 - missing.toarray())
        return cls._sparse(missing)

    @classmethod
    def _dense(cls, known: Floats) -> _Sets:
        return cls(lambda v: known @ v, lambda u: u @ known, lambda some: cls._dense(known[:, some]))

    @classmethod
    def _sparse(cls, missing: Any) -> _Sets:
        """What is known is all less what is missing: long rows lack few kinds."""
        return cls(
            lambda v: np.maximum(v.sum() - missing @ v, np.finfo(np.float64).tiny),
            lambda u: u.sum() - missing.T @ u,
            lambda some: cls._sparse(missing[:, np.flatnonzero(some)]),
        )


@dataclass(frozen=True, slots=True)
class _Task:
    """Newton's method on the logs of the probabilities, in which the log-likelihood is concave."""

    sets: _Sets
    counts: Floats  # (d,) above 0
    words: Floats  # (p,) above 0
    told: float

    def solve(self) -> Floats:
        """The probabilities."""
        logs = np.log(self.counts / (self.told + self.sets.back(self.words)))
        value, before = self._value(logs), np.inf
        for _ in range(MOST):
            shares, mass = self._at(logs)
            expected = shares * (self.told + self.sets.back(self.words / mass))
            step = self._step(shares, mass, expected)
            step -= shares @ step
            step *= min(1.0, FARTHEST / np.abs(step).max(initial=FARTHEST))
            move = np.max(shares * np.abs(step), initial=0.0)
            if move <= NEAR or NOISE > before <= move:
                break
            before = move
            while (after := self._value(logs + step)) < value - 1e-13 * abs(value):
                step = step / 2
            logs, value = logs + step, after
        return self._at(logs)[0]

    def _at(self, logs: Floats) -> tuple[Floats, Floats]:
        """The probabilities, and those of the known kinds of each set."""
        shares = np.exp(logs - logs.max())
        shares /= shares.sum()
        return shares, self.sets.ahead(shares)

    def _value(self, logs: Floats) -> float:
        shares, mass = self._at(logs)
        return float(x_log_y(self.counts, shares).sum() - self.words @ np.log(mass))

    def _step(self, shares: Floats, mass: Floats, expected: Floats) -> Floats:
        """Newton's step by conjugate gradients, measured in the expected counts: nothing is inverted."""
        squared, whole = self.words / mass**2, expected.sum()

        def curvature(v: Floats) -> Floats:
            weighed, own = shares * v, expected * v
            known = self.told * weighed.sum() + self.sets.back(squared * self.sets.ahead(weighed))
            # Along equal moves of all logs nothing changes: the last term holds them.
            return np.asarray(own - shares * known + expected * (own.sum() / whole))

        left = self.counts - expected
        step, scaled = np.zeros_like(left), left / expected
        way, size = scaled, float(left @ scaled)
        enough = 1e-24 * size
        for _ in range(min(2 * len(left), MOST)):
            if not size > enough:
                break
            bent = curvature(way)
            bend = float(way @ bent)
            if not bend > 1e-12 * float(way @ (expected * way)):  # nothing tells along this way
                break
            step = step + size / bend * way
            left = left - size / bend * bent
            scaled = left / expected
            before, size = size, float(left @ scaled)
            way = scaled + size / before * way
        return step
