"""The whole of a model as a picture's data: nomogram and linear form."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.ask.resolve import value_text
from likely.dist.distribution import Distribution, StraightLine
from likely.errors import LikelyError
from likely.evidence import CurveAxis, LevelAxis, LinearForm, Nomogram
from likely.models.groups.record import GroupRecord, refuse_components
from likely.models.parts.part import Part
from likely.table.column.column import Column
from likely.table.column.kinds import UNITS, Kind, Type

Floats = NDArray[np.float64]

CURVE = 101  # points of a curve over the values of a quantitative column


def nomogram(record: GroupRecord, a: int, b: int) -> Nomogram:
    """What every value of every feature adds to the log-odds of class a against class b."""
    refuse_components(record, "a nomogram")
    axes: list[LevelAxis | CurveAxis] = []
    for part in record.core.parts:
        if not part.by_value:
            raise LikelyError(
                f"column {part.first.name!r} ({part.reads}, {part.family.name} family): what it adds is "
                "no function of its own value alone, so a nomogram would not add up. Use explain()."
            )
        for place in range(len(part.columns)):
            column = part.column(place)
            values = grid(column, part.distribution, place)
            terms = part.distribution.relative_terms(part.alone(place, values))[:, :, place]
            weight = 1.0 if record.evidence is None else record.evidence.by_column[part.columns[place]]
            with np.errstate(invalid="ignore"):
                apart = weight * (terms[:, a] - terms[:, b])
            evidence = np.nan_to_num(apart, nan=0.0, posinf=np.inf, neginf=-np.inf)
            axes.append(_axis(column, values, evidence))
    weights = record.core.log_weights
    base = float(weights[a] - weights[b])
    return Nomogram((record.classes[a], record.classes[b]), base, tuple(axes))


def _axis(column: Column, values: NDArray[Any], evidence: NDArray[np.float64]) -> LevelAxis | CurveAxis:
    if column.levels is not None:
        return LevelAxis(column.name, column.levels, evidence)
    if column.kind is Kind.BOOLEAN:
        return LevelAxis(column.name, (False, True), evidence)
    if column.type not in UNITS:
        return CurveAxis(column.name, values, evidence, whole=_is_whole(column))
    days = column.type is Type.DATETIME and values[-1] - values[0] > 3 * 86400  # the time of day is too fine

    def written(number: float) -> str:
        time = value_text(column, number) or f"{number:g}"
        return time[:10] if days else time

    return CurveAxis(column.name, values, evidence, written)


def _is_whole(column: Column) -> bool:
    """Whether a column of numbers has held whole ones only."""
    return column.kind is Kind.COUNT or (column.span is not None and column.span.decimals == 0)


def grid(column: Column, distribution: Distribution, place: int) -> NDArray[Any]:
    """The values of a column as its part reads them: all levels, or points along a curve."""
    if column.levels is not None:
        return np.arange(len(column.levels))
    if column.kind is Kind.BOOLEAN:
        return np.array([0.0, 1.0])
    mean, sd = np.asarray(distribution.mean)[:, place], np.asarray(distribution.sd)[:, place]
    sd = np.where(np.isfinite(sd), sd, 0.0)
    low, high = float((mean - 3 * sd).min()), float((mean + 3 * sd).max())
    if column.span is not None:  # no further than the rows reach
        low, high = max(low, column.span.low), min(high, column.span.high)
    if column.kind is Kind.COUNT:
        low = max(0.0, low)
    if _is_whole(column) and column.type not in UNITS:
        return np.unique(np.round(np.linspace(np.floor(low), np.ceil(high), CURVE)))
    return np.linspace(low, high, CURVE)


def _counted_line(record: GroupRecord, part: Part, a: int, b: int) -> StraightLine | None:
    """What tells class a from class b, if it is linear in the features; as much of it as counts."""
    line = part.linear_odds(a, b)
    if line is None or record.evidence is None:
        return line
    weights = record.evidence.of(part.columns)
    if len(set(weights.tolist())) == 1:
        return StraightLine(line.slope * weights[0], line.centre, line.at_centre * weights[0])
    alone = [
        part.distribution.take((slice(None), [place])).linear_odds(a, b) for place in range(len(weights))
    ]
    at_centre = sum(w * one.at_centre for w, one in zip(weights, alone, strict=True))
    centre = np.concatenate([one.centre for one in alone])
    return StraightLine(line.slope * weights, centre, float(at_centre))


LINEAR = (
    "they are where all features are Booleans, counts (poisson or multinomial), words, or numbers whose "
    "variances all classes share (covariance='tied', 'tied_diagonal', 'tied_spherical' or 'identity')"
)


def linear_form(record: GroupRecord, a: int, b: int) -> LinearForm:
    """Weights and bias, if the log-odds are linear in the features; those of a text are its words."""
    refuse_components(record, "a linear form")
    weights = record.core.log_weights
    names: dict[int, list[str]] = {}
    slopes: dict[int, Floats] = {}
    centres: dict[int, Floats] = {}
    at_centre = float(weights[a] - weights[b])
    for part in record.core.parts:
        line, first = _counted_line(record, part, a, b), part.first
        if line is None:
            raise LikelyError(
                f"column {first.name!r} is {first.kind}, described by {part.family.name}, so that "
                f"the log-odds are not linear in the features: {LINEAR}. explain() shows any model."
            )
        features = part.features()
        for j in np.flatnonzero(~np.isfinite(line.slope))[:1]:
            own = [name for _, names_of in features for name in names_of]
            raise LikelyError(
                f"a value of feature {own[j]!r} is impossible in {record.classes[a]!r} or "
                f"{record.classes[b]!r}, so that it has no finite weight: estimate with a prior, so that "
                "nothing is impossible."
            )
        at_centre += line.at_centre
        start = 0
        for j, own in features:
            mine = slice(start, start := start + len(own))
            names[j], slopes[j], centres[j] = own, line.slope[mine], line.centre[mine]
    order = sorted(names)
    return LinearForm(
        tuple(name for j in order for name in names[j]),
        np.concatenate([slopes[j] for j in order]),
        np.concatenate([centres[j] for j in order]),
        at_centre,
        (record.classes[a], record.classes[b]),
    )
