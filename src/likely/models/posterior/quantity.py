"""One number that is not known for certain: how probable it is to lie where."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist import (
    Beta,
    Dirichlet,
    Gamma,
    KnownVariance,
    Normal,
    NormalInverseGamma,
    NormalInverseWishart,
    Prior,
    StudentT,
    Univariate,
)
from likely.dist.numeric.logs import log_rising
from likely.errors import LikelyError
from likely.table.accepted import RandomState

Floats = NDArray[np.float64]

STEPS = 60  # halvings of the share that an interval leaves out below
Names = Sequence[str]


class Interval(NamedTuple):
    """From `lower` to `upper`."""

    lower: float
    upper: float


@dataclass(frozen=True, eq=False)
class Quantity:
    """A parameter, or a function of one, as the posterior has it: base ** power.

    A variance is a precision to the power of -1, an sd one to the power of -1/2.

    >>> from likely.dist import Beta
    >>> rate = Quantity("theta", Beta(10, 2), 10 / 12, 0.9, 0.1)
    >>> rate.between(-np.inf, 0.5)
    0.005859375
    """

    name: str
    base: Univariate
    mean: float
    mode: float  # at the most probable parameters
    sd: float
    power: float = 1.0

    def cdf(self, x: ArrayLike) -> Floats:
        """P(quantity <= x)."""
        return self.base.cdf(self._back(x)) if self.power > 0 else self.base.sf(self._back(x))

    def sf(self, x: ArrayLike) -> Floats:
        """P(quantity > x)."""
        return self.base.sf(self._back(x)) if self.power > 0 else self.base.cdf(self._back(x))

    def quantile(self, q: ArrayLike) -> Floats:
        """The value that the quantity does not exceed with probability q."""
        shares = np.asarray(q, np.float64)
        with np.errstate(divide="ignore"):
            value = self.base.quantile(shares if self.power > 0 else 1 - shares)
            return np.asarray(value if self.power == 1 else value**self.power)

    def ends(self) -> Interval:
        """The least and the greatest value that it can have."""
        low, high = (float(end) for end in self.quantile([0.0, 1.0]))
        return Interval(low, high)

    def log_density(self, x: ArrayLike) -> Floats:
        """The log density at x."""
        log_density = self.base.log_prob(self._back(x))
        if self.power == 1:
            return log_density
        with np.errstate(divide="ignore", invalid="ignore"):
            stretch = (1 / self.power - 1) * np.log(np.asarray(x, np.float64)) - np.log(abs(self.power))
            return np.where(np.isneginf(log_density), log_density, log_density + stretch)

    def sample(self, n: int, random_state: RandomState = None) -> Floats:
        """Draw n times."""
        return np.asarray(self.base.sample(n, random_state) ** self.power)

    def between(self, low: float, high: float) -> float:
        """P(low < quantity < high), from the tail that keeps the digits."""
        if not low < high:
            return 0.0
        if low == -np.inf or float(self.cdf(low)) <= 0.5:
            return float(self.cdf(high) - (0.0 if low == -np.inf else self.cdf(low)))
        return float(self.sf(low) - self.sf(high))

    def equal_tailed(self, level: float) -> Interval:
        """The interval that leaves out as much below as above."""
        rest = (1 - share("level", level)) / 2
        return Interval(float(self.quantile(rest)), float(self.quantile(1 - rest)))

    def highest(self, level: float) -> Interval:
        """The narrowest interval: no value outside is denser than one inside, if there is one peak."""
        most = 1 - share("level", level)
        first, last = self._from(0.0, level), self._from(most, level)
        falls, rises = self._leans(first) >= 0, self._leans(last) <= 0
        if falls or rises:  # as dense as can be at an end: there is no better place further in
            ends = [place for place, best in ((first, falls), (last, rises)) if best]
            return min(ends, key=lambda place: place.upper - place.lower)
        low, high = 0.0, most
        for _ in range(STEPS):
            middle = (low + high) / 2
            low, high = (low, middle) if self._leans(self._from(middle, level)) >= 0 else (middle, high)
        return self._from((low + high) / 2, level)

    def _from(self, below: float, level: float) -> Interval:
        """The interval of this level that leaves out so much below."""
        return Interval(float(self.quantile(below)), float(self.quantile(min(below + level, 1.0))))

    def _leans(self, place: Interval) -> float:
        """Above 0 if the lower end is denser than the upper."""
        lower, upper = (float(self.log_density(end)) if np.isfinite(end) else -np.inf for end in place)
        return 0.0 if lower == upper else lower - upper

    def _back(self, x: ArrayLike) -> Floats:
        """The base at which the quantity is x."""
        values = np.asarray(x, np.float64)
        if self.power == 1:
            return values
        with np.errstate(divide="ignore", over="ignore"):
            return np.maximum(values, 0.0) ** (1 / self.power)


def share(name: str, value: float) -> float:
    """A share between 0 and 1, neither of them."""
    if not isinstance(value, int | float | np.number) or not 0 < value < 1:
        raise LikelyError(f"{name}={value!r}: give a share between 0 and 1, such as 0.9.")
    return float(value)


def quantities(belief: Prior, names: Names) -> tuple[Quantity, ...]:
    """What a posterior is about; `names` are those of its parameters, levels or columns.

    >>> [(q.name, round(q.mean, 3)) for q in quantities(Dirichlet([5, 4, 1]), ["a", "b", "c"])]
    [('a', 0.5), ('b', 0.4), ('c', 0.1)]
    """
    return next((made for kind, made in _OF.items() if isinstance(belief, kind)), _itself)(belief, names)


def is_described(prior: type[Prior]) -> bool:
    """Whether there are numbers that people ask about in beliefs of a class."""
    return issubclass(prior, (Univariate, *_OF))


def default_names(prior: Prior) -> tuple[str, ...]:
    """The names of the parameters, levels or columns, if nobody gives any."""
    if isinstance(prior, Dirichlet):
        return tuple(f"p{i}" for i in range(prior.alpha.shape[-1]))
    if isinstance(prior, NormalInverseWishart):
        return tuple(f"x{i}" for i in range(prior.width))
    if isinstance(prior, NormalInverseGamma | KnownVariance):
        return ("mean",)
    return ("rate",) if isinstance(prior, Gamma) else ("theta",)


def _itself(belief: Any, names: Names) -> tuple[Quantity, ...]:
    base = Normal(belief.location, belief.sd, belief.location_rest) if _is_normal(belief) else belief
    return (Quantity(names[0], base, float(belief.mean), float(belief.mode), float(belief.sd)),)


def _is_normal(belief: object) -> bool:
    return isinstance(belief, KnownVariance)


def _levels(belief: Dirichlet, names: Names) -> tuple[Quantity, ...]:
    total = float(belief.alpha.sum())
    made = []
    for i, name in enumerate(names):
        a = float(belief.alpha[i])
        base = Beta(a, max(total - a, 0.0))
        made.append(Quantity(name, base, float(base.mean), float(belief.mode[i]), float(base.sd)))
    return tuple(made)


def _normal(belief: NormalInverseGamma, names: Names) -> tuple[Quantity, ...]:
    return _mean_and_spread(belief, float(belief.mode[1]), (names[0], "variance", "sd"))


def _columns(belief: NormalInverseWishart, names: Names) -> tuple[Quantity, ...]:
    """Each column by itself is normal-inverse-gamma."""
    freedom = (belief.df - belief.width + 1) / 2
    made: list[Quantity] = []
    for i, name in enumerate(names):
        own = NormalInverseGamma(
            belief.location[i], belief.kappa, freedom, belief.scale[i, i] / 2, belief.location_rest[i]
        )
        of = (f"mean.{name}", f"variance.{name}", f"sd.{name}")
        made.extend(_mean_and_spread(own, float(belief.mode[i, 1 + i]), of))
    return tuple(made)


def _mean_and_spread(belief: NormalInverseGamma, variance: float, names: Names) -> tuple[Quantity, ...]:
    """The mean, the variance (at the mode, as given) and its root."""
    a, b = float(belief.a), float(belief.b)
    scale = np.sqrt(belief.b / belief.a / belief.kappa)
    centre = StudentT(2 * belief.a, belief.location, scale, belief.location_rest)
    mean, sd = belief.mean, belief.sd
    root, root_sd = _root(a, b)
    precision = Gamma(belief.a, belief.b)
    return (
        Quantity(names[0], centre, float(mean[0]), float(belief.location), float(sd[0])),
        Quantity(names[1], precision, float(mean[1]), variance, float(sd[1]), -1.0),
        Quantity(names[2], precision, root, float(np.sqrt(variance)), root_sd, -0.5),
    )


def _root(a: float, b: float) -> tuple[float, float]:
    """The mean and the sd of the root of b over a Gamma(a, 1); infinite where a is too small."""
    if a <= 0.5:
        return np.inf, np.inf
    log_ratio = float(log_rising(a - 0.5, 0.5))  # of Gamma(a) to Gamma(a - 1/2)
    mean = float(np.sqrt(b) * np.exp(-log_ratio))
    if a <= 1:
        return mean, np.inf
    # Of the expected square and the squared mean, the ratio: their difference has no digits for large a.
    return mean, mean * float(np.sqrt(max(np.expm1(2 * log_ratio - np.log(a - 1)), 0.0)))


_OF: dict[type, Callable[[Any, Names], tuple[Quantity, ...]]] = {
    KnownVariance: _itself,
    Dirichlet: _levels,
    NormalInverseGamma: _normal,
    NormalInverseWishart: _columns,
}
