"""The multinomial distribution: how often each of d words comes in a row of so many."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.affine import Affine
from likely.dist.counting import CountVector
from likely.dist.distribution import (
    Distribution,
    Sizes,
    StraightLine,
    adding_to_one,
    demand,
    not_negative,
    places,
    probability,
)
from likely.dist.families.binomial import Binomial
from likely.dist.family import Family, PriorWord
from likely.dist.numeric.incomplete_counts import shares_of
from likely.dist.numeric.logs import log, x_log_y
from likely.dist.predictive.dirichlet_multinomial import DirichletMultinomial
from likely.dist.prior import Laplace, LevelNames, Smoothing
from likely.dist.priors.dirichlet import Dirichlet, mean_length
from likely.stats.groups import Floats, Groups
from likely.stats.sums import GapSums, split_missing, sums_of_known
from likely.table.column.block import Rows, row_sums
from likely.table.column.kinds import Kind


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Multinomial(CountVector, Family):
    """Counts of d words, each drawn with probability probs, given how many words the row has.

    `trials` is that number for rows that are drawn, and for the moments; it may be an average.

    Default prior: Laplace's, `strength` pseudo-counts of every word: Dirichlet(1, ..., 1). Maximum
    likelihood is uniform for a group without words.

    A row with missing cells shares out the words that are known among the kinds that are known, in learning
    as in prediction: maximum likelihood, "map" and "mean" maximise that likelihood, alone or with the prior
    ("mean" on the scale of the logs, where it is the mean if nothing is missing).

    >>> spam = Multinomial.fit([[0, 3, 0], [0, 3, 3], [3, 0, 0], [2, 3, 0]])
    >>> spam.probs, spam.trials
    (array([0.3, 0.5, 0.2]), array(4.25))
    """

    name = "multinomial"
    kinds = (Kind.COUNT,)
    joint = True
    statistic = GapSums
    conjugate = Dirichlet
    predicted_by = DirichletMultinomial
    counts_levels = True
    story = "so many words, one after another, by the die of the {group}"
    total_tells = False  # in every group the probabilities add up to 1

    probs: Floats  # (..., d)
    trials: Floats  # (...)

    def __init__(self, probs: ArrayLike, trials: ArrayLike = 1.0) -> None:
        array = probability("probs", probs)
        adding_to_one("probs", array, array.sum(axis=-1))
        self._set(probs=array, trials=np.broadcast_to(not_negative("trials", trials), array.shape[:-1]))

    @classmethod
    def ml(cls, stat: GapSums) -> Multinomial:
        """The relative frequencies; with gaps, those under which the known cells are most probable."""
        shares = shares_of(stat, stat.total)
        return cls(shares, mean_length(stat, shares))

    @classmethod
    def estimate(
        cls, stat: GapSums, prior: PriorWord = "default", how: str = "mean", levels: LevelNames = None
    ) -> Distribution:
        """The distribution that the statistic and the prior give; with gaps, "map" is of their likelihood."""
        chosen = None if stat.complete or how != "map" else cls.choose_prior(stat, prior, levels)
        if not isinstance(chosen, Dirichlet):
            return super().estimate(stat, prior, how, levels)
        shares = shares_of(stat, np.maximum(stat.total + chosen.alpha - 1, 0.0))
        return cls(shares, mean_length(stat, shares))

    def expect(self, rows: Rows, groups: Groups, sizes: Sizes = None) -> GapSums:
        """The statistic to be expected of rows (b, d), were all words told until the known ones had come.

        A row of which kinds of probability m are known, with n words of them, lacks n p / m words of each
        other kind. So EM climbs the likelihood of the known cells, as no row is given more to say.
        """
        n, total, gaps = sums_of_known(rows, groups)
        if not gaps:
            return GapSums(n, total)
        missing = (
            np.isnan(rows).astype(np.float64) if isinstance(rows, np.ndarray) else split_missing(rows)[0]
        )
        words, mass = self._totals(rows)
        # Where the known kinds have no mass at all, the row cannot be of the group.
        ratio = np.divide(words, mass, out=np.zeros_like(mass), where=mass > 0)
        lacking = Groups.softly(groups.matrix * ratio).sum(missing)
        told = groups.where(row_sums(missing) < n.shape[1]).total
        return GapSums(np.repeat(told[:, None], n.shape[1], axis=1), total + self.probs * lacking)

    @property
    def _weights(self) -> Floats:
        return self.probs

    def _cells(self, x: Floats) -> Floats:
        return x_log_y(x, self.probs)

    @cached_property
    def _affine(self) -> Affine:
        return Affine.of_logs(log(self.probs), np.zeros_like(self.probs))

    def _cell_sums(self, rows: Rows) -> tuple[Floats, bool]:
        return self._affine.sums(rows)

    def _of_total(self, words: Floats, mass: Floats) -> Floats:
        # Where the known kinds have no mass at all, the cells have said -inf already.
        return -words * np.log(np.where(mass > 0, mass, 1.0))

    def marginal(self, columns: ArrayLike) -> Any:
        """The counts of some of the words: of one a `Binomial`, of several a multinomial with a rest.

        columns: the place of one word, or a list of places. Of several, the last count is that of all other
        words together, if there are any. `trials` must be whole: an average leaves no binomial.

        >>> spam = Multinomial([0.3, 0.5, 0.2], trials=4)
        >>> spam.marginal(1), spam.marginal([2])
        (Binomial(p=0.5, trials=4.0), Multinomial(probs=array([0.2, 0.8]), trials=4.0))
        """
        demand("trials", self.trials, self.trials % 1 == 0, "a marginal is of a whole number of words")
        width = self.probs.shape[-1]
        keep = places(columns, width)
        if np.ndim(columns) == 0:
            return Binomial(self.probs[..., keep[0]], self.trials)
        rest = np.delete(self.probs, keep, axis=-1)
        own = [self.probs[..., keep], rest.sum(axis=-1, keepdims=True)]
        return Multinomial(np.concatenate(own if rest.shape[-1] else own[:1], axis=-1), self.trials)

    def linear_odds(self, a: int, b: int) -> StraightLine:
        """Each word of a kind counts as much as the next; how many words there are tells nothing."""
        return self._affine.odds(a, b)

    def _draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        probs = self.probs / self.probs.sum(axis=-1, keepdims=True)
        return rng.multinomial(self._lengths(rng, shape), probs).astype(np.float64)

    @property
    def _clumping(self) -> Floats:
        return np.zeros(self.batch)

    @classmethod
    def _with_weights(cls, weights: Floats) -> Multinomial:
        return cls(weights / weights.sum(axis=-1, keepdims=True))

    @classmethod
    def free_parameters(cls, stat: GapSums) -> tuple[int, int]:
        """A probability for all words but one."""
        return max(int(stat.total.shape[1]) - 1, 0), 0

    @classmethod
    def at(cls, prior: Dirichlet, parameters: Floats) -> Multinomial:
        """The multinomial distribution of these probabilities."""
        return cls(parameters, 1.0 if prior.trials is None else prior.trials)

    @classmethod
    def predictive(cls, prior: Dirichlet) -> DirichletMultinomial:
        """The Dirichlet-multinomial."""
        return DirichletMultinomial(prior.alpha, 1.0 if prior.trials is None else prior.trials)

    def log_natural(self, prior: Dirichlet) -> Floats:
        """On the scale of the logs."""
        return prior.log_natural(self.probs)

    @classmethod
    def default_prior(cls, stat: GapSums, strength: float = 1.0) -> Dirichlet:
        """Dirichlet(strength, ..., strength)."""
        return cls.smoothed(stat, Laplace(strength))

    @classmethod
    def smoothed(cls, stat: GapSums, smoothing: Smoothing, levels: LevelNames = None) -> Dirichlet:
        """The Dirichlet distribution of the pseudo-counts."""
        return Dirichlet(
            smoothing.pseudo_counts(stat.total.shape[1], levels), trials=mean_length(stat, None).mean()
        )
