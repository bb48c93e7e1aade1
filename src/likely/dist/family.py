"""A family is a distribution that can be learnt: it knows its statistic, its prior, and how to be built."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self, TypeGuard

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.distribution import Distribution, Sizes, numbers, weights
from likely.dist.prior import LevelNames, Prior, Smoothing, Spread
from likely.dist.shrinkage import Shrinkage
from likely.dist.weighed import Weighed
from likely.errors import LikelyError
from likely.stats.groups import Floats, Groups
from likely.table.column.block import LIMIT, Rows

# "default", a strength of it, None for maximum likelihood; a floor of variances (`Spread`) is EM's own word.
PriorWord = Prior | Smoothing | Shrinkage | Spread | float | str | None

# One for all columns, or by the column's name.
Priors = Mapping[str, PriorWord] | PriorWord


HOW = ("ml", "map", "mean", "predictive")


class Family(Distribution, Weighed):
    """Data -> statistic -> estimate: the same three steps for a list of numbers and for a model."""

    name: ClassVar[str]
    conjugate: ClassVar[type[Prior]]
    named_prior: ClassVar[type[Prior] | None] = (
        None  # that is about this family only, where others share its own
    )
    predicted_by: ClassVar[type[Distribution] | None] = None  # the class of `predictive`, if it is no family
    counts_levels: ClassVar[bool] = False  # whether a smoothing of counts can be its prior
    story: ClassVar[str] = ""  # how values come about, if it is not plain from the name

    @classmethod
    def collect(cls, rows: Rows, groups: Groups, sizes: Sizes = None) -> Any:
        """The statistic of rows (b, d), dense or sparse."""
        needed: Any = cls.statistic
        return needed.collect(rows, groups)

    def expect(self, rows: Rows, groups: Groups, sizes: Sizes = None) -> Any:
        """The statistic to be expected of rows (b, d) if this is their distribution in each group.

        Cells that are missing tell nothing of columns that are independent of the others.
        """
        return self.collect(rows, groups, sizes)

    @classmethod
    def empty(cls, n_groups: int, width: int, sizes: Sizes = None) -> Any:
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
    def is_about(cls, prior: Prior) -> bool:
        """Whether a prior is taken to be about this family if nobody says which."""
        return type(prior) is (cls.named_prior or cls.conjugate)

    @classmethod
    def takes(cls, prior: object) -> TypeGuard[Prior]:
        """Whether this is a conjugate prior of the parameters."""
        return isinstance(prior, cls.conjugates())

    @classmethod
    def own_prior(cls, prior: Any, stat: Any) -> Prior:
        """A conjugate prior as this family's own, where several families share one."""
        return prior  # type: ignore[no-any-return]

    @classmethod
    def smoothed(cls, stat: Any, smoothing: Smoothing, levels: LevelNames = None) -> Prior:
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
    def n_rows(cls, stat: Any) -> Floats:
        """How many rows a statistic is of, in each group and column."""
        return np.asarray(stat.n)

    @classmethod
    def possible(cls, stat: Any) -> bool:
        """Whether values of this family can have given a statistic of possible numbers."""
        return True

    def as_seen(self) -> Any:
        """One row's worth of each group (g, d), of which this is the maximum-likelihood estimate."""
        raise LikelyError(f"{self.name} distributions cannot be given: they are only learnt.")

    @classmethod
    def count_keys(cls, names: Sequence[str]) -> tuple[Any, ...]:
        """What may be counted instead of giving data; nothing, if data are more than counts."""
        return ()

    @classmethod
    def of_counts(cls, counts: Floats) -> Any:
        """The statistic that such counts make, of one group and column."""
        raise NotImplementedError

    @classmethod
    def free_parameters(cls, stat: Any) -> tuple[int, int]:
        """How many free numbers describe each group, and how many all groups share."""
        return cls.column_parameters * int(stat.n.shape[1]), 0

    @classmethod
    def constant_columns(cls, stat: Any) -> list[int]:
        """Which columns of a joint distribution hold one value only."""
        return []

    @classmethod
    @abstractmethod
    def at(cls, prior: Any, parameters: Floats) -> Distribution:
        """The distribution at parameters that a prior is about, as they are drawn from it."""

    @classmethod
    def at_mean(cls, prior: Prior) -> Distribution:
        """The distribution at the expected parameters."""
        return cls.at(prior, prior.finite_mean)

    @classmethod
    def at_mode(cls, prior: Any) -> Distribution:
        """The distribution at the most probable parameters."""
        return cls.at(prior, prior.mode)

    @classmethod
    def at_draws(cls, prior: Prior, rng: np.random.Generator, n: int) -> Distribution:
        """The distribution at n draws of the parameters: n times as many groups, draw after draw."""
        return cls.at(prior, prior.draw_parameters(rng, n)).groups_in_line()

    @classmethod
    def predictive(cls, prior: Any) -> Distribution:
        """The distribution of a new value, the parameters summed out; by default that at the mean."""
        return cls.at_mean(prior)

    @classmethod
    def told(cls, prior: Any, stat: Any) -> Any:
        """The statistic as the prior reads it."""
        return stat

    @classmethod
    def log_base(cls, prior: Any, stat: Any) -> Floats | float:
        """What the log-probability of the data has beyond what parameters have a say in."""
        return 0.0

    @classmethod
    def updated(cls, prior: Prior, stat: Any) -> Prior:
        """What is believed of the parameters once the data are seen: Bayes' rule for a conjugate prior."""
        posterior: Prior = prior.posterior(cls.told(prior, stat))
        return posterior

    @classmethod
    def evidence(cls, prior: Prior, stat: Any) -> Floats:
        """The log marginal likelihood of the data, in the order they came, for each place of the batch."""
        return np.asarray(prior.log_evidence(cls.told(prior, stat)) + cls.log_base(prior, stat))

    def log_natural(self, prior: Any) -> Floats:
        """The log density that a prior gives the parameters on their natural scale, up to a constant.

        On that scale (log-odds, log-rates, precisions) `at_mean` is the mode. So the sum of this and the
        log-likelihood is what the estimate "mean" maximises, and what EM climbs.
        """
        raise LikelyError(
            f"{type(self).__name__.lower()} distributions cannot be learnt by EM: choose another family, "
            "such as 'normal' or 'categorical'."
        )

    @classmethod
    def estimate(
        cls, stat: Any, prior: PriorWord = "default", how: str = "mean", levels: LevelNames = None
    ) -> Distribution:
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
        made = {"map": cls.at_mode, "mean": cls.at_mean, "predictive": cls.predictive}
        return made[how](posterior)

    @classmethod
    def posterior(cls, stat: Any, prior: PriorWord = "default", levels: LevelNames = None) -> Prior | None:
        """What the statistic and the prior say of the parameters; None for maximum likelihood."""
        chosen = cls.choose_prior(stat, prior, levels)
        if chosen is None:
            return None
        return cls.updated(chosen, stat if isinstance(prior, Prior) else cls.steady(stat))

    @classmethod
    def drawn(
        cls, stat: Any, prior: PriorWord, rng: np.random.Generator, n: int, levels: LevelNames = None
    ) -> Distribution | None:
        """The distribution at n draws from the posterior, n * g groups; None for maximum likelihood."""
        posterior = cls.posterior(stat, prior, levels)
        return None if posterior is None else cls.at_draws(posterior, rng, n)

    @classmethod
    def choose_prior(cls, stat: Any, prior: PriorWord = "default", levels: LevelNames = None) -> Prior | None:
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
    def decide_prior(cls, stat: Any, prior: PriorWord = "default", levels: LevelNames = None) -> Any:
        """What the user's word means for hidden groups, as a prior that stays while EM looks for them."""
        strength = default_strength(prior)
        return cls.hidden_prior(stat, strength) if strength else cls.choose_prior(stat, prior, levels)

    @classmethod
    def hidden_prior(cls, stat: Any, strength: float) -> Prior:
        """The default prior of groups that are hidden."""
        return cls.default_prior(stat, strength)

    @classmethod
    def fit(
        cls,
        values: ArrayLike,
        *,
        prior: PriorWord = "default",
        estimate: str = "mean",
        weight: ArrayLike | None = None,
    ) -> Any:
        """A single distribution learnt from a plain list (of rows, for a joint family); NaN is missing."""
        fitted = cls.estimate(cls.seen(values, weight), prior, estimate)
        return fitted.take((0,) * len(fitted.batch))

    @classmethod
    def log_evidence(
        cls, values: ArrayLike, *, prior: PriorWord = "default", weight: ArrayLike | None = None
    ) -> float:
        """The log marginal likelihood of a plain list, in this order: the parameters are summed out.

        The prior must be fixed before the values are seen: give a conjugate prior, or a family whose
        default does not look at the data (Bernoulli, Categorical, Geometric).

        >>> from likely.dist import Bernoulli, Beta
        >>> np.exp(Bernoulli.log_evidence([1, 1, 0, 1], prior=Beta(1, 1))).round(12)  # B(4, 2) / B(1, 1)
        np.float64(0.05)
        """
        return cls.log_marginal(cls.seen(values, weight), prior)

    @classmethod
    def log_marginal(cls, stat: Any, prior: PriorWord, levels: LevelNames = None) -> float:
        """The log marginal likelihood of what a statistic stands for, over all groups and columns."""
        chosen = cls.choose_prior(stat, prior, levels)
        if chosen is None:
            raise LikelyError(
                f"prior={prior!r} has no evidence: give a {cls.conjugate.__name__} or 'default'."
            )
        return float(np.sum(cls.evidence(chosen, stat)))

    @classmethod
    def seen(cls, values: ArrayLike, weight: ArrayLike | None = None) -> Any:
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


def default_strength(prior: object) -> float | None:
    """How strong the default prior is to be by the user's word; None if another is meant."""
    if isinstance(prior, str) and prior == "default":
        return 1.0
    if isinstance(prior, int | float | np.number) and 0 <= prior < np.inf:
        return float(prior)
    return None
