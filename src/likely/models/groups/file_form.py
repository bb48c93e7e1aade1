"""What a model file holds of a record of groups, by the names that files have had from the first.

A file has the parts of a model as two lists side by side: slots, and what was seen of each. The names of the
classes here are those in files; nothing but reading and writing files knows them.

A file of the first format says "default", or a strength, and holds what was seen. What that meant for numbers
and counts has changed since: the prior of that time takes the place of the word. Rows of counts were added up
without regard to what was missing in them: as rows without gaps. An m-estimate was not about the base rate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
from likely.errors import LikelyError
from likely.models.groups.evidence_weights import EvidenceWeights
from likely.models.groups.record import GroupRecord
from likely.models.groups.tally import GroupTally, Settings
from likely.models.parts.cells import LevelsPart, NumbersPart
from likely.models.parts.missing import MissingPart
from likely.models.parts.part import Part, suits
from likely.models.parts.plan import Ranking
from likely.models.parts.words import WordsPart
from likely.stats import CountSums, GapSums, Moments, Scatter, Statistic, Sums, Within
from likely.table.column.column import Column
from likely.table.schema import Schema

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


class Reads(Enum):
    """What of its columns a slot reads: the class of the part that it stands for."""

    NUMBERS = NumbersPart
    CODES = LevelsPart
    WORDS = WordsPart
    GAPS = MissingPart


@dataclass(frozen=True, slots=True)
class Slot:
    """A family, the columns it describes, and the prior of its parameters."""

    family: type[Family]
    columns: tuple[int, ...]  # places in the schema
    prior: Any
    reads: Reads

    @classmethod
    def of(cls, part: Part) -> Slot:
        """What stands for a part."""
        return cls(part.family, part.columns, part.prior, Reads(type(part)))

    def part(self, schema: Schema, estimate: str, statistic: Statistic) -> Part:
        """The part that the slot stands for, with what was seen."""
        made: type[Part] = self.reads.value
        return made(schema, self.family, self.columns, self.prior, estimate, statistic)


@dataclass(frozen=True, slots=True)
class Tally:
    """The weight of each group, and a statistic for every slot."""

    groups: NDArray[np.float64]  # (g,)
    parts: tuple[Statistic, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """A record of groups, field by field."""

    schema: Schema
    target: Column
    slots: tuple[Slot, ...]
    tally: Tally
    settings: Settings
    weighed: tuple[Ranking, ...] = ()
    components: tuple[int, ...] | None = None
    evidence: EvidenceWeights | None = None

    @classmethod
    def of(cls, record: GroupRecord) -> Record:
        """What a file holds of a record."""
        parts = record.parts
        slots = tuple(map(Slot.of, parts))
        tally = Tally(record.tally.groups, tuple(part.statistic for part in parts))
        rest = record.settings, record.weighed, record.components, record.evidence
        return cls(record.schema, record.target, slots, tally, *rest)

    def restored(self, version: int) -> GroupRecord:
        """The record that a file of this format meant."""
        if not self.slots or len(self.slots) != len(self.tally.parts):
            raise LikelyError("it does not have what was seen of every slot")
        pairs = zip(self.slots, self.tally.parts, strict=True)
        parts = tuple(slot.part(self.schema, self.settings.estimate, seen) for slot, seen in pairs)
        tally = GroupTally(self.tally.groups, parts)
        rest = self.settings, self.weighed, self.components, self.evidence
        record = GroupRecord(self.target, tally, *rest)
        return of_first_format(record) if version == 1 else record
