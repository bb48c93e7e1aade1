"""A belief over every conjunctive concept, by brute force in blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from likely.dist.numeric.logs import x_log_y
from likely.models.hypotheses.belief import Belief, Floats, HypothesisPrior, log_prior_of
from likely.models.hypotheses.conjunctions import Bools, Conjunctions, Ints, truths
from likely.models.hypotheses.evolution import Evolution, evolution
from likely.models.hypotheses.rules import noise_rate
from likely.table.accepted import RandomState, TableLike, Target

CELLS = 1 << 22  # of concepts and rows at a time: 4 MB


@dataclass(frozen=True, eq=False, repr=False)
class Concepts(Belief):
    """How probable each concept is; made by `Conjunctions.belief`.

    >>> sport = Conjunctions({"sky": ["sunny", "cloudy", "rainy"], "air": ["warm", "cold"]})
    >>> days = {"sky": ["sunny", "rainy"], "air": ["warm", "cold"]}
    >>> found = sport.belief().update(days, [True, False])
    >>> found.consistent, round(found.prob(found.map), 3)
    ([<sunny, warm>, <sunny, ?>, <?, warm>], 0.333)
    >>> round(found.vote({"sky": "sunny", "air": "cold"}), 3)
    0.333
    """

    noise: float = field(kw_only=True)

    @classmethod
    def over(cls, conjunctions: Conjunctions, prior: HypothesisPrior, noise: float) -> Concepts:
        """All concepts, before any data."""
        conjunctions.refuse_too_many()
        log_prior = log_prior_of(conjunctions, prior)
        zeros = np.zeros(len(conjunctions))
        return cls(conjunctions, log_prior, log_likelihood=zeros, noise=noise_rate(noise))

    def update(self, X: TableLike, y: Target) -> Self:
        """The belief once some rows and their labels (True or False) are seen."""
        space: Any = self.hypotheses
        return self._learn(space.read(X), truths(y, X))

    def history(self, X: TableLike, y: Target) -> Evolution:
        """The posteriors before the first row and after each of them."""
        space: Any = self.hypotheses
        rows, positive = space.read(X), truths(y, X)
        pairs = [(rows[i : i + 1], positive[i : i + 1]) for i in range(len(rows))]
        return evolution(self, pairs, lambda belief, pair: belief._learn(*pair))

    def _learn(self, rows: Ints, positive: Bools) -> Self:
        different, place = np.unique(rows, axis=0, return_inverse=True)
        signs = np.where(positive, 1.0, -1.0)
        amounts = np.bincount(place.reshape(-1), signs, len(different)).astype(np.float64)
        right = self._covered(different, amounts)
        return self._seen(_log_prob(positive.sum() - right, len(rows), self.noise), len(rows))

    def vote(self, thing: Mapping[str, Any] | Sequence[Any]) -> float:
        """P(positive) of a thing, each concept voting with its posterior."""
        return float(self.posterior @ self._covered(self._row(thing), np.ones(1)))

    def classify(self, thing: Mapping[str, Any] | Sequence[Any]) -> bool:
        """The Bayes optimal label: that of most votes (positive, of as many on both sides)."""
        self._best(self.log_posterior)
        return bool(self.vote(thing) >= 0.5)

    def gibbs(self, thing: Mapping[str, Any] | Sequence[Any], random_state: RandomState = None) -> bool:
        """The label by one concept drawn from the posterior: at worst it errs twice as often."""
        self._best(self.log_posterior)
        rng = np.random.default_rng(random_state)
        return bool(self.hypotheses[int(rng.choice(len(self), p=self.posterior))].covers(thing))

    def _row(self, thing: Mapping[str, Any] | Sequence[Any]) -> Ints:
        space: Any = self.hypotheses
        given = [thing[name] for name in space.names] if isinstance(thing, Mapping) else thing
        return np.asarray(space.read({name: [v] for name, v in zip(space.names, given, strict=True)}))

    def _covered(self, rows: Ints, amounts: Floats) -> Floats:
        """The amounts of the rows that each concept covers, added up, (h,); the last, empty, covers none."""
        space: Any = self.hypotheses
        out, start = np.zeros(len(space)), 0
        for codes in space.blocks(max(CELLS // max(len(rows), 1), 1)):
            covered = np.ones((len(codes), len(rows)), bool)
            for j, k in enumerate(space.sizes):
                meets = np.vstack([rows[:, j] == np.arange(k)[:, None], np.ones((1, len(rows)), bool)])
                covered &= meets[codes[:, j]]
            out[start : start + len(codes)] = covered @ amounts
            start += len(codes)
        return out


def _log_prob(wrong: Floats, n: int, noise: float) -> Floats:
    """The log-probability of n labels of which so many are wrong."""
    return np.asarray(x_log_y(wrong, noise) + x_log_y(n - wrong, 1 - noise), np.float64)
