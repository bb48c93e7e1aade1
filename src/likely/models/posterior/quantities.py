"""A posterior of parameters -> the numbers people ask about, each with its own distribution."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

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
from likely.models.posterior.quantity import Quantity

Names = Sequence[str]


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
