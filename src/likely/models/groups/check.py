"""Whether the parts of a record fit together: what a file says is not believed before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.dist import (
    HOW,
    MEstimate,
    MultivariateNormal,
    Prior,
    Shrinkage,
    Smoothing,
)
from likely.dist.numeric.column_variance import Spread
from likely.dist.prior_word import PriorWord
from likely.estimator.check_column import check_schema, check_target, demand, different
from likely.models.groups.check_statistic import HEAVIEST, check_statistic
from likely.models.parts.part import Part
from likely.stats import Cells

if TYPE_CHECKING:
    from likely.models.groups.record import GroupRecord


def check(record: GroupRecord) -> None:
    """Refuse a record of which no model could have been fitted."""
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
        _check_part(part)
        if part.describes_cells:
            taken += part.columns
        check_statistic(part, len(record.class_of))
    demand(len(set(taken)) == len(taken), "a column is described twice")
    cells = [part.describes_cells for part in record.parts]
    demand(all(cells[:-1]), "whether cells are missing is described before the cells")


def _check_part(part: Part) -> None:
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
