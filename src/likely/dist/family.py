"""A family is a distribution that can be learnt; a prior is a distribution of a family's parameters."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np

from likely.dist.distribution import Distribution, Grouped
from likely.dist.numeric.parameters import numbers, weights
from likely.dist.priors.smoothing import Smoothing
from likely.errors import LikelyError
from likely.stats.groups import Floats, Groups
from likely.stats.statistic import Statistic
from likely.table.block import LIMIT
from likely.table.column.kinds import Kind

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

    def refuse_others(self, stat: Any) -> None:
        """Refuse to be the prior of other columns than those that a statistic is of."""
        batch, shape = self.batch, np.shape(stat.n)
        width = getattr(self, "width", None)  # of a prior of several columns together
        if width is not None:
            batch, shape = (width,), stat.mean.shape[-1:]
        elif self.parameter_axes:
            return  # it looks at places of levels itself
        near = zip(batch[::-1], shape[::-1], strict=False)
        if len(batch) > len(shape) or not all(mine in (theirs, 1) for mine, theirs in near):
            raise LikelyError(
                f"prior={type(self).__name__}(...) is of {batch[-1]} columns, and the data have {shape[-1]}: "
                "give one of as many columns."
            )

    @abstractmethod
    def at(self, parameters: Floats) -> Grouped:
        """The family at these parameters, as they are drawn."""

    def mean_of(self) -> Grouped:
        """The family at the mean of the parameters."""
        return self.at(self.mean)

    def mode_of(self) -> Grouped:
        """The family at the mode of the parameters."""
        return self.at(self.mode)

    def draw_of(self, rng: np.random.Generator, n: int) -> Grouped:
        """The family at n draws of the parameters: n times as many groups, draw after draw."""
        return self.at(self._draw(rng, (n, *self.batch))).groups_in_line()

    @abstractmethod
    def predictive(self) -> Grouped:
        """The distribution of a new value, the parameters summed out."""

    def log_natural(self, family: Any) -> Floats:
        """The log density of a family's parameters on their natural scale, up to a constant.

        On that scale (log-odds, log-rates, precisions) `mean_of` is the mode. So the sum of this and the
        log-likelihood is what the estimate "mean" maximises, and what EM climbs.
        """
        raise LikelyError(
            f"{type(family).__name__.lower()} distributions cannot be learnt by EM: choose another family, "
            "such as 'normal' or 'categorical'."
        )

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
    story: ClassVar[str] = ""  # how values come about, if it is not plain from the name

    @classmethod
    def collect(cls, rows: Any, groups: Groups, sizes: Any = None) -> Any:
        """The statistic of rows (b, d), dense or sparse."""
        needed: Any = cls.statistic
        return needed.collect(rows, groups)

    def expect(self, rows: Any, groups: Groups, sizes: Any = None) -> Any:
        """The statistic to be expected of rows (b, d) if this is their distribution in each group.

        Cells that are missing tell nothing of columns that are independent of the others.
        """
        return self.collect(rows, groups, sizes)

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
    def conjugates(cls) -> tuple[type[Prior], ...]:
        """The conjugate priors that can be given."""
        return (cls.conjugate,)

    @classmethod
    def takes(cls, prior: Any) -> bool:
        """Whether this is a conjugate prior of the parameters."""
        return isinstance(prior, cls.conjugates())

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
    def free_parameters(cls, stat: Any) -> tuple[int, int]:
        """How many free numbers describe each group, and how many all groups share."""
        return int(stat.n.shape[1]), 0

    @classmethod
    def constant_columns(cls, stat: Any) -> list[int]:
        """Which columns of a joint distribution hold one value only."""
        return []

    @classmethod
    def estimate(cls, stat: Any, prior: Any = "default", how: str = "mean", levels: Any = None) -> Grouped:
        """The distribution that the statistic and the prior give.

        prior: "default", a strength of it, None (maximum likelihood), a smoothing, or a conjugate prior.
        how: "ml", "map", "mean" (of the parameters) or "predictive" (parameters summed out).
        levels: the names of each column's levels, if a smoothing goes by them.
        """
        if how not in HOW:
            raise LikelyError(f"estimate={how!r} is unknown: use one of {', '.join(HOW)}.")
        posterior = cls.posterior(stat, prior, levels)
        if posterior is None or how == "ml":
            return cls.ml(stat)
        answers = {"map": posterior.mode_of, "mean": posterior.mean_of, "predictive": posterior.predictive}
        return answers[how]()

    @classmethod
    def posterior(cls, stat: Any, prior: Any = "default", levels: Any = None) -> Prior | None:
        """What the statistic and the prior say of the parameters; None for maximum likelihood."""
        chosen = cls.choose_prior(stat, prior, levels)
        if chosen is None:
            return None
        return chosen.posterior(stat if isinstance(prior, Prior) else cls.steady(stat))

    @classmethod
    def drawn(
        cls, stat: Any, prior: Any, rng: np.random.Generator, n: int, levels: Any = None
    ) -> Grouped | None:
        """The distribution at n draws from the posterior, n * g groups; None for maximum likelihood."""
        posterior = cls.posterior(stat, prior, levels)
        return None if posterior is None else posterior.draw_of(rng, n)

    @classmethod
    def choose_prior(cls, stat: Any, prior: Any = "default", levels: Any = None) -> Prior | None:
        """The prior that the user's word means; None for maximum likelihood."""
        if prior is None:
            return None
        if cls.takes(prior):
            prior.refuse_others(stat)
            return cls.own_prior(prior, stat)
        if isinstance(prior, Smoothing):
            return cls.smoothed(stat, prior, levels) if prior.strength > 0 else None
        strength = default_strength(prior)
        if strength is not None:
            return cls.default_prior(stat, strength) if strength > 0 else None
        raise LikelyError(
            f"prior={prior!r} cannot be used for {cls.name}: give 'default', a strength (0 or above), "
            f"None for maximum likelihood, or a {cls.conjugate.__name__}."
        )

    @classmethod
    def decide_prior(cls, stat: Any, prior: Any = "default", levels: Any = None) -> Any:
        """What the user's word means for hidden groups, as a prior that stays while EM looks for them."""
        strength = default_strength(prior)
        return cls.hidden_prior(stat, strength) if strength else cls.choose_prior(stat, prior, levels)

    @classmethod
    def hidden_prior(cls, stat: Any, strength: float) -> Prior:
        """The default prior of groups that are hidden."""
        return cls.default_prior(stat, strength)

    @classmethod
    def fit(cls, values: Any, *, prior: Any = "default", estimate: str = "mean", weight: Any = None) -> Any:
        """A single distribution learnt from a plain list (of rows, for a joint family); NaN is missing."""
        found = cls.estimate(cls.seen(values, weight), prior, estimate)
        return found.take((0,) * len(found.batch))

    @classmethod
    def log_evidence(cls, values: Any, *, prior: Any = "default", weight: Any = None) -> float:
        """The log marginal likelihood of a plain list, in this order: the parameters are summed out.

        The prior must be fixed before the values are seen: give a conjugate prior, or a family whose
        default does not look at the data (Bernoulli, Categorical, Geometric).

        >>> from likely.dist import Bernoulli, Beta
        >>> np.exp(Bernoulli.log_evidence([1, 1, 0, 1], prior=Beta(1, 1))).round(12)  # B(4, 2) / B(1, 1)
        np.float64(0.05)
        """
        return cls.log_marginal(cls.seen(values, weight), prior)

    @classmethod
    def log_marginal(cls, stat: Any, prior: Any, levels: Any = None) -> float:
        """The log marginal likelihood of what a statistic stands for, over all groups and columns."""
        chosen = cls.choose_prior(stat, prior, levels)
        if chosen is None:
            raise LikelyError(
                f"prior={prior!r} has no evidence: give a {cls.conjugate.__name__} or 'default'."
            )
        return float(np.sum(chosen.log_evidence(stat)))

    @classmethod
    def seen(cls, values: Any, weight: Any = None) -> Any:
        """The statistic of a plain list (of rows, for a joint family); NaN is missing."""
        given = numbers("values", values)
        if given.ndim != (2 if cls.joint else 1):
            wanted = "a table (n, d)" if cls.joint else "a list"
            raise LikelyError(f"values of shape {given.shape}: {cls.name} learns from {wanted}.")
        rows = given if cls.joint else given[:, None]
        outside = ~(cls.inside(rows) | np.isnan(rows))
        if outside.any():
            raise LikelyError(f"value {rows[outside][0]} is impossible for {cls.name}: leave it out.")
        large = np.abs(rows) > LIMIT
        if large.any():
            raise LikelyError(
                f"value {rows[large][0]} is too large for {cls.name}, as its square is no number: "
                f"leave it out, or rescale the values to stay within {LIMIT:g}."
            )
        return cls.collect(rows, Groups.one(len(rows), weights(weight, len(rows))))


def default_strength(prior: Any) -> float | None:
    """How strong the default prior is to be by the user's word; None if another is meant."""
    if isinstance(prior, str) and prior == "default":
        return 1.0
    number = isinstance(prior, int | float | np.number) and 0 <= prior < np.inf
    return float(prior) if number else None
