"""Validation of records read from files: shapes, ranges and consistency of parts and their statistics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.dist import HOW, MEstimate, MultivariateNormal, Prior, Shrinkage, Smoothing
from likely.dist.family import PriorWord
from likely.dist.prior import Spread
from likely.errors import LikelyError
from likely.estimator.check_column import check_schema, check_target, demand, different
from likely.models.parts.part import Part
from likely.stats import Cells, Counts, CountSums, Fourth, GapSums, Moments, Scatter, Sums, Within
from likely.stats.dyadic_grid import EXACT
from likely.stats.groups import LARGEST, Statistic
from likely.table.column.block import LIMIT

if TYPE_CHECKING:
    from likely.models.groups.record import GroupRecord


HEAVIEST = 1e100  # of the rows of a class: squares and products of such are still numbers
DUST = 1e-6  # of the largest number: what taking rows out again may leave below 0
WIDEST = 1024  # the largest power of a grid: that of the largest number


def check_statistic(part: Part, n_groups: int) -> None:
    """Refuse a statistic of another family, of another shape, or with impossible numbers."""
    seen, width = part.statistic, part.width
    named = f"what was seen of column {part.first.name!r}"
    if type(seen) is not part.family.statistic or not _shaped(part, seen, n_groups, width):
        raise LikelyError(f"{named} is not of {n_groups} classes and {width} columns of {part.family.name}")
    possible = _POSSIBLE.get(type(seen), Statistic.in_range)
    if not (possible(seen) and part.family.possible(seen)):
        raise LikelyError(f"{named} are numbers that no data give")


def check_scatter(seen: Scatter, n_groups: int, width: int) -> None:
    """Refuse a scatter matrix of another shape, or with impossible numbers."""
    if not (_joint_shapes(seen, n_groups, width) and _scatter(seen)):
        raise LikelyError(f"what was seen of {width} columns are numbers that no data give")


def check_finite(what: str, array: NDArray[Any], shape: tuple[int, ...]) -> None:
    """Refuse an array of another shape, or with NaN or infinity in it."""
    if array.shape != shape or not bool((np.abs(array) < LARGEST).all()):
        raise LikelyError(f"{what} are not {' x '.join(map(str, shape))} numbers")


def _shaped(part: Part, seen: Any, n_groups: int, width: int) -> bool:
    """Whether the arrays have the shapes of an empty statistic of the same part."""
    if isinstance(seen, Counts):
        return seen.sizes == part.sizes and seen.table.shape == (n_groups, sum(seen.sizes))
    if isinstance(seen, Cells):
        lengths = {len(a) if a.ndim == 1 else -1 for a in (seen.where, seen.place, seen.weight, seen.beyond)}
        return seen.power.shape == (n_groups, width) and len(lengths) == 1 and -1 not in lengths
    if isinstance(seen, GapSums):
        return seen.n.shape == seen.total.shape == (n_groups, width) and _sets(seen, width)
    if isinstance(seen, Fourth):
        cubic = seen.cubes.shape == seen.fourths.shape == seen.scatter.shape
        if not (cubic and seen.power.shape == seen.mean.shape):
            return False
    if isinstance(seen, Scatter | Within | Fourth):
        return _joint_shapes(seen, n_groups, width)
    arrays = [getattr(seen, f.name) for f in fields(seen)]
    return all(array.shape == (n_groups, width) for array in arrays)


def _sets(seen: GapSums, width: int) -> bool:
    """Whether each pattern of missing columns is sorted, not empty, and has a statistic in every group."""
    gaps, ends = seen.gaps, seen.ends
    if gaps.ndim != 1 or ends.ndim != 1 or seen.words.shape != (len(seen.n), len(ends)):
        return False
    if {gaps.dtype, ends.dtype} != {np.dtype(np.int64)} or (ends[-1] if len(ends) else 0) != len(gaps):
        return False
    lengths, steps = np.diff(ends, prepend=0), np.diff(gaps)
    first = np.zeros(max(len(gaps) - 1, 0), bool)
    if (lengths < 1).any() or (lengths >= width).any():
        return False
    first[ends[:-1] - 1] = True
    inside = not len(gaps) or (gaps.min() >= 0 and gaps.max() < width)
    return bool(inside and (first | (steps > 0)).all() and len(set(map(bytes, seen.sets))) == len(ends))


def _joint_shapes(seen: Scatter | Within | Fourth, n_groups: int, width: int) -> bool:
    shapes = [array.shape for array in (seen.n, seen.mean, seen.scatter, seen.mean_rest)]
    each, matrices = (n_groups, width), 1 if isinstance(seen, Within) else n_groups
    return shapes == [(n_groups,), each, (matrices, width, width), each]


def _not_below(*arrays: NDArray[Any]) -> bool:
    """Whether all numbers are finite and, up to rounding, not below 0."""
    for array in arrays:
        low, high = float(array.min(initial=0.0)), float(array.max(initial=0.0))  # NaN, if there is one
        if not (high < LARGEST and low >= -DUST * max(high, -low)):
            return False
    return True


def _weights(*arrays: NDArray[Any]) -> bool:
    """Whether all numbers are possible sums of row weights."""
    return _not_below(*arrays) and all(float(a.max(initial=0.0)) < HEAVIEST for a in arrays)


def _usable(*arrays: NDArray[Any]) -> bool:
    """Whether all numbers are within the range that tables accept."""
    return all(bool((np.abs(a) <= LIMIT).all()) for a in arrays)


def _spread(n: NDArray[Any], scatter: NDArray[Any]) -> bool:
    """Whether sums of squared deviations are between 0 and the most that n accepted values can have."""
    return _not_below(scatter) and bool((scatter <= np.maximum(n, 0.0) * LIMIT * LIMIT).all())


def _cells(seen: Cells) -> bool:
    power, where, place = seen.power, seen.where, seen.place
    if power.size and not (power.min() >= EXACT and power.max() <= WIDEST):
        return False
    if len(where) and not (where.min() >= 0 and where.max() < power.size):
        return False
    step, rise = np.diff(where), np.diff(place)
    in_order = bool(((step > 0) | ((step == 0) & (rise > 0))).all())
    positive = bool((seen.weight > 0).all()) and _weights(seen.weight) and seen.in_range()
    return in_order and positive and _usable(place, seen.beyond) and _inside_cells(seen)


def _inside_cells(seen: Cells) -> bool:
    """Whether the mean of every grid cell lies inside the cell; where values are exact, at its edge."""
    beyond = seen.beyond / seen.weight
    power = seen.power.reshape(-1)[seen.where]
    width = np.where(power == EXACT, 0.0, np.ldexp(1.0, np.minimum(power, 1023)))
    return bool(
        np.isfinite(seen.centre).all()
        and (beyond >= -DUST * width).all()
        and (beyond <= width * (1 + DUST)).all()
    )


def _scatter(seen: Scatter | Within | Fourth) -> bool:
    """Whether all scatter matrices are symmetric and, up to rounding, positive semidefinite."""
    crossed, width = seen.scatter, seen.scatter.shape[1]
    slack = DUST * width * np.abs(crossed).max(axis=(1, 2), initial=0.0)
    even = (np.abs(crossed - crossed.swapaxes(1, 2)).max(axis=(1, 2), initial=0.0) <= slack).all()
    own = np.diagonal(crossed, axis1=1, axis2=2)
    if not (even and _weights(seen.n) and _spread(seen.scatter_n[:, None], own)):
        return False
    if not _usable(seen.mean, seen.mean_rest):
        return False
    return bool((np.linalg.eigvalsh(crossed).min(axis=1) >= -slack).all())


_POSSIBLE: dict[type, Callable[[Any], bool]] = {
    Cells: _cells,
    Counts: lambda seen: _weights(seen.table),
    CountSums: lambda seen: _weights(seen.n) and _not_below(seen.total, seen.log_factorial),
    Fourth: lambda seen: (
        _scatter(seen) and _not_below(seen.fourths) and bool((np.abs(seen.power) <= WIDEST).all())
    ),
    GapSums: lambda seen: _weights(seen.n) and _not_below(seen.total, seen.words),
    Moments: lambda seen: (
        _weights(seen.n) and _spread(seen.n, seen.scatter) and _usable(seen.mean, seen.mean_rest)
    ),
    Scatter: _scatter,
    Sums: lambda seen: _weights(seen.n) and _not_below(seen.total),
    Within: _scatter,
}


def check(record: GroupRecord) -> None:
    """Refuse a record that no fit could have produced."""
    columns = record.schema.columns
    described = sum(len(part.columns) for part in record.parts if part.describes_cells)
    demand(0 < len(columns) == described, "its columns are not those that it describes")
    check_schema(record.schema)
    check_target(record.target)
    groups, components = record.tally.groups, record.components
    if components is not None:
        demand(len(components) == len(record.classes), "it does not say the groups of every class")
        demand(0 < min(components) <= max(components) <= len(groups), "a class has no groups")
    demand(groups.shape == (len(record.class_of),), "it does not have a count for every class")
    demand(bool(((groups >= 0) & (groups < HEAVIEST)).all()), "the count of a class is no count")
    _check_parts(record)
    if record.evidence is not None:
        weights, rows = record.evidence.by_column, record.evidence.rows
        inside = weights.shape == (len(columns),) and bool(((weights >= 0) & (weights <= 1)).all())
        demand(inside and 0 <= rows < HEAVIEST, "the weights of the evidence are no shares")
    demand(record.settings.estimate in HOW, f"estimate={record.settings.estimate!r} is unknown")
    record.rates  # noqa: B018  # what is no base rate is refused here
    _check_core(record)
    names = set(record.schema.names)
    for ranking in record.weighed:
        lengths = len(ranking.families), len(ranking.bits)
        known = ranking.column in names and lengths[0] > 0 and lengths[1] in (0, lengths[0])
        demand(known, f"the families of {ranking.column!r} are not ranked")


def _check_parts(record: GroupRecord) -> None:
    taken: list[int] = []
    for part in record.parts:
        check_part(part)
        if part.describes_cells:
            taken += part.columns
        check_statistic(part, len(record.class_of))
    demand(len(set(taken)) == len(taken), "a column is described twice")
    cells = [part.describes_cells for part in record.parts]
    demand(all(cells[:-1]), "whether cells are missing is described before the cells")


def check_part(part: Part) -> None:
    """Refuse a part whose columns, family and prior do not go together."""
    d, family = len(part.schema.columns), part.family
    inside = part.columns and min(part.columns) >= 0 and max(part.columns) < d
    demand(
        bool(inside) and len(set(part.columns)) == len(part.columns), "a slot has columns that are not there"
    )
    for column in different(part.schema.columns, part.columns):
        demand(part.suits(column), f"column {column.name!r} is {column.kind}, and described by {family.name}")
    demand(_is_prior(part.prior), f"a {type(part.prior).__name__} is no prior")
    if isinstance(part.prior, Spread):
        known = issubclass(family, MultivariateNormal) and part.prior.is_of(len(part.columns))
        demand(known, "the floor of variances is none of these columns")


def _check_core(record: GroupRecord) -> None:
    """Refuse priors of other groups or columns, and cells that no density has: what they make shows it.

    Only such models are estimated at once, as they are when they are fitted; others may be large.
    """
    odd = (Prior, MEstimate, Spread)
    if not any(isinstance(part.prior, odd) or part.family.statistic is Cells for part in record.parts):
        return
    for part in record.core.parts:
        demand(part.made_for(len(record.class_of)), "a prior is that of other columns")


def _is_prior(prior: PriorWord) -> bool:
    if isinstance(prior, Shrinkage | Spread):
        return True
    strength = prior.strength if isinstance(prior, Smoothing) else prior
    if type(strength) is int or type(strength) is float:
        return 0 <= strength < HEAVIEST
    return prior is None or isinstance(prior, Prior) or (isinstance(prior, str) and prior == "default")
