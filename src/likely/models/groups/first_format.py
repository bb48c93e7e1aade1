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
from likely.dist.numeric.column_variance import CERTAIN, Spread
from likely.models.groups.independent import Tally
from likely.models.groups.record import Record
from likely.models.parts.part import Slot
from likely.models.parts.priors import suits
from likely.stats import GapSums, Sums

WORTH = 0.01  # rows: of what was believed of a mean


def of_first_format(record: Record) -> Record:
    """The model that a file of the first format meant."""
    slots, parts = list(record.slots), list(record.tally.parts)
    for i, (slot, seen) in enumerate(zip(slots, parts, strict=True)):
        strength = _strength(slot)
        if slot.family in _FIRST and strength:
            parts[i] = slot.family.steady(seen)
            slots[i] = replace(slot, prior=_FIRST[slot.family](slot.family, parts[i], strength))
        elif slot.family.statistic is GapSums and type(seen) is Sums:
            parts[i] = GapSums(seen.n, seen.total)
    prior = "default" if isinstance(record.settings.prior, MEstimate) else record.settings.prior
    tally = Tally(record.tally.groups, tuple(parts))
    return replace(record, slots=tuple(slots), tally=tally, settings=replace(record.settings, prior=prior))


def _strength(slot: Slot) -> float:
    """Of the default prior; 0 where there is none. A prior of another family left the default."""
    if isinstance(slot.prior, str) or not suits(slot.prior, slot.family):
        return 1.0
    return float(slot.prior) if isinstance(slot.prior, int | float) else 0.0


def _normal(family: Any, stat: Any, strength: float) -> Prior:
    column = Spread.of(stat)
    kappa, a, b = (
        np.where(column.constant, CERTAIN, own)
        for own in (WORTH * strength, 1 + strength / 2, column.within * (strength / 2))
    )
    return NormalInverseGamma(column.mean, kappa, a, b, column.mean_rest)


def _spherical(family: Any, stat: Any, strength: float) -> Prior:
    column, n = Spread.of(stat), stat.n.sum(axis=0)
    varying = np.where(column.constant, 0.0, column.within)[0]
    within = float(varying @ n / n.sum()) if n.any() else 0.0
    b = (within if within > 0 else 1.0) * strength / 2
    return SharedVariance(column.mean[0], WORTH * strength, 1 + strength / 2, b, column.mean_rest[0])


def _joint(family: Any, stat: Any, strength: float) -> Prior:
    column, df = spread_of(stat), stat.mean.shape[1] + 1 + strength
    scale = np.diag(strength * column.within[0])
    made: Prior = family.conjugate(column.mean[0], WORTH * strength, df, scale, column.mean_rest[0])
    return made


def _poisson(family: Any, stat: Any, strength: float) -> Prior:
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
