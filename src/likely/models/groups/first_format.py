"""Models in files of the first format, made into those of today, with the same answers.

A file says "default", or a strength, and holds what was seen. What that meant for numbers and counts has
changed since: the prior of that time takes the place of the word. Rows of counts were added up without
regard to what was missing in them: as rows without gaps. An m-estimate was not about the base rate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from likely.dist import (
    Family,
    Gamma,
    MEstimate,
    MultivariateNormal,
    Normal,
    NormalInverseGamma,
    Poisson,
    Prior,
    SharedVariance,
    SphericalNormal,
    TiedNormal,
)
from likely.dist.families.multivariate_normal import spread_of
from likely.dist.prior import CERTAIN, Spread
from likely.models.groups.record import GroupRecord
from likely.models.parts.part import Part
from likely.models.parts.priors import suits
from likely.stats import CountSums, GapSums, Moments, Scatter, Sums, Within

WORTH = 0.01  # rows: of what was believed of a mean


def of_first_format(record: GroupRecord) -> GroupRecord:
    """The model that a file of the first format meant."""
    prior = "default" if isinstance(record.settings.prior, MEstimate) else record.settings.prior
    parts = map(_as_it_was, record.parts)
    return replace(record.with_parts(parts), settings=replace(record.settings, prior=prior))


def _as_it_was(part: Part) -> Part:
    """The part with the prior, and the statistic, that were meant."""
    strength = _strength(part)
    if part.family in _FIRST and strength:
        steady = part.family.steady(part.statistic)
        return replace(part, statistic=steady, prior=_FIRST[part.family](part.family, steady, strength))
    if part.family.statistic is GapSums and type(part.statistic) is Sums:
        return part.with_statistic(GapSums(part.statistic.n, part.statistic.total))
    return part


def _strength(part: Part) -> float:
    """Of the default prior; 0 where there is none. A prior of another family left the default."""
    if isinstance(part.prior, str) or not suits(part.prior, part.family):
        return 1.0
    return float(part.prior) if isinstance(part.prior, int | float) else 0.0


def _normal(family: type[Family], stat: Moments, strength: float) -> Prior:
    column = Spread.of(stat)
    kappa, a, b = (
        np.where(column.constant, CERTAIN, own)
        for own in (WORTH * strength, 1 + strength / 2, column.within * (strength / 2))
    )
    return NormalInverseGamma(column.mean, kappa, a, b, column.mean_rest)


def _spherical(family: type[Family], stat: Moments, strength: float) -> Prior:
    column, n = Spread.of(stat), stat.n.sum(axis=0)
    varying = np.where(column.constant, 0.0, column.within)[0]
    within = float(varying @ n / n.sum()) if n.any() else 0.0
    b = (within if within > 0 else 1.0) * strength / 2
    return SharedVariance(column.mean[0], WORTH * strength, 1 + strength / 2, b, column.mean_rest[0])


def _joint(family: type[MultivariateNormal], stat: Scatter | Within, strength: float) -> Prior:
    column, df = spread_of(stat), stat.mean.shape[1] + 1 + strength
    scale = np.diag(strength * column.within[0])
    made: Prior = family.conjugate(column.mean[0], WORTH * strength, df, scale, column.mean_rest[0])
    return made


def _poisson(family: type[Family], stat: CountSums, strength: float) -> Prior:
    pooled = stat.pooled()
    counted = np.where(pooled.total > 0, pooled.total, 0.5)
    return Gamma(strength * counted / np.where(pooled.n > 0, pooled.n, 1.0), strength)


_FIRST: dict[type[Family], Callable[[Any, Any, float], Prior]] = {
    Normal: _normal,
    SphericalNormal: _spherical,
    MultivariateNormal: _joint,
    TiedNormal: _joint,
    Poisson: _poisson,
}
