"""A family is a distribution that can be learnt; a prior is a distribution of a family's parameters."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np

from likely.dist.distribution import Distribution, Grouped
from likely.dist.parameters import numbers
from likely.dist.smoothing import Smoothing
from likely.errors import LikelyError
from likely.stats.groups import Floats, Groups
from likely.stats.statistic import Statistic
from likely.table.kinds import Kind

HOW = ("ml", "map", "mean", "predictive")


class Prior(Distribution):
    """A conjugate prior, and so a posterior too: a distribution of parameters."""

    @property
    @abstractmethod
    def mode(self) -> Floats:
        """The most probable parameters (the mean where there is no single mode)."""

    @abstractmethod
    def posterior(self, stat: Any) -> Self:
        """What is believed of the parameters of each group and column once the data are seen."""

    @abstractmethod
    def mean_of(self) -> Grouped:
        """The family at the mean of the parameters."""

    @abstractmethod
    def mode_of(self) -> Grouped:
        """The family at the mode of the parameters."""

    @abstractmethod
    def predictive(self) -> Grouped:
        """The distribution of a new value, the parameters summed out."""

    @abstractmethod
    def log_evidence(self, stat: Any) -> Floats:
        """The log marginal likelihood of the data, in the order they came, for each place of the batch."""


class Family(Grouped):
    """Data -> statistic -> estimate: the same three steps for a list of numbers and for a model."""

    name: ClassVar[str]
    kinds: ClassVar[tuple[Kind, ...]]  # of the columns it can stand for
    joint: ClassVar[bool] = False  # whether it is one distribution of all its columns
    statistic: ClassVar[type[Statistic]]
    conjugate: ClassVar[type[Prior]]
    counts_levels: ClassVar[bool] = False  # whether a smoothing of counts can be its prior

    @classmethod
    def collect(cls, rows: Any, groups: Groups, sizes: Any = None) -> Any:
        """The statistic of rows (b, d), dense or sparse."""
        needed: Any = cls.statistic
        return needed.collect(rows, groups)

    @classmethod
    def empty(cls, n_groups: int, width: int, sizes: Any = None) -> Any:
        """The statistic of no rows."""
        needed: Any = cls.statistic
        return needed.empty(n_groups, width)

    @classmethod
    @abstractmethod
    def ml(cls, stat: Any) -> Self:
        """The parameters under which the data are most probable."""

    @classmethod
    @abstractmethod
    def default_prior(cls, stat: Any, strength: float = 1.0) -> Prior:
        """A weak prior, worth about `strength` rows."""

    @classmethod
    def own_prior(cls, prior: Any, stat: Any) -> Prior:
        """A conjugate prior as this family's own, where several families share one."""
        return prior  # type: ignore[no-any-return]

    @classmethod
    def smoothed(cls, stat: Any, smoothing: Smoothing, levels: Any = None) -> Prior:
        """The prior that a smoothing of counts stands for."""
        raise LikelyError(
            f"prior={smoothing!r} smooths counts of levels, and {cls.name} has none: "
            f"give a strength, or a {cls.conjugate.__name__}."
        )

    @classmethod
    def steady(cls, stat: Any) -> Any:
        """The statistic without what the default prior must not see."""
        return stat

    @classmethod
    def estimate(cls, stat: Any, prior: Any = "default", how: str = "mean", levels: Any = None) -> Grouped:
        """The distribution that the statistic and the prior give.

        prior: "default", a strength of it, None (maximum likelihood), a smoothing, or a conjugate prior.
        how: "ml", "map", "mean" (of the parameters) or "predictive" (parameters summed out).
        levels: the names of each column's levels, if a smoothing goes by them.
        """
        if how not in HOW:
            raise LikelyError(f"estimate={how!r} is unknown: use one of {', '.join(HOW)}.")
        chosen = cls.choose_prior(stat, prior, levels)
        if chosen is None or how == "ml":
            return cls.ml(stat)
        posterior = chosen.posterior(stat if isinstance(prior, Prior) else cls.steady(stat))
        answers = {"map": posterior.mode_of, "mean": posterior.mean_of, "predictive": posterior.predictive}
        return answers[how]()

    @classmethod
    def choose_prior(cls, stat: Any, prior: Any = "default", levels: Any = None) -> Prior | None:
        """The prior that the user's word means; None for maximum likelihood."""
        if prior is None:
            return None
        if isinstance(prior, cls.conjugate):
            return cls.own_prior(prior, stat)
        if isinstance(prior, Smoothing):
            return cls.smoothed(stat, prior, levels) if prior.strength > 0 else None
        if isinstance(prior, str) and prior == "default":
            return cls.default_prior(stat)
        if isinstance(prior, int | float | np.number) and 0 <= prior < np.inf:
            return cls.default_prior(stat, float(prior)) if prior > 0 else None
        raise LikelyError(
            f"prior={prior!r} cannot be used for {cls.name}: give 'default', a strength (0 or above), "
            f"None for maximum likelihood, or a {cls.conjugate.__name__}."
        )

    @classmethod
    def fit(cls, values: Any, *, prior: Any = "default", estimate: str = "mean", weight: Any = None) -> Any:
        """A single distribution learnt from a plain list (of rows, for a joint family); NaN is missing."""
        given = numbers("values", values)
        if given.ndim != (2 if cls.joint else 1):
            wanted = "a table (n, d)" if cls.joint else "a list"
            raise LikelyError(f"values of shape {given.shape}: {cls.name} learns from {wanted}.")
        rows = given if cls.joint else given[:, None]
        outside = ~(cls.inside(rows) | np.isnan(rows))
        if outside.any():
            raise LikelyError(f"value {rows[outside][0]} is impossible for {cls.name}: leave it out.")
        stat = cls.collect(rows, Groups.one(len(rows), weight))
        return cls.estimate(stat, prior, estimate).take(0 if cls.joint else (0, 0))
