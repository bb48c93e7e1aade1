"""Whether the parts of a record fit together: what a file says is not believed before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from likely.dist import (
    HOW,
    Bernoulli,
    MEstimate,
    Multinomial,
    MultivariateNormal,
    Prior,
    Shrinkage,
    Smoothing,
)
from likely.dist.numeric.column_variance import Spread
from likely.estimator.check_column import check_schema, check_target, demand, different
from likely.models.groups.check_statistic import HEAVIEST, check_statistic
from likely.models.groups.record import Record, base_rates
from likely.models.parts.part import Reads, Slot
from likely.models.parts.words import WordsPart
from likely.stats import Cells
from likely.table.column.column import Column
from likely.table.schema import Schema


def check(record: Record) -> None:
    """Refuse a record of which no model could have been fitted."""
    columns = record.schema.columns
    described = sum(len(slot.columns) for slot in record.slots if slot.reads is not Reads.GAPS)
    demand(0 < len(columns) == described, "its columns are not those that it describes")
    check_schema(record.schema)
    check_target(record.target)
    groups, components = record.tally.groups, record.components
    if components is not None:
        demand(len(components) == len(record.classes), "it does not say the groups of every class")
        demand(0 < min(components) <= max(components) <= len(groups), "a class has no groups")
    demand(groups.shape == (len(record.class_of),), "it does not have a count for every class")
    demand(bool(((groups >= 0) & (groups < HEAVIEST)).all()), "the count of a class is no count")
    _check_slots(record)
    demand(record.settings.estimate in HOW, f"estimate={record.settings.estimate!r} is unknown")
    base_rates(record.classes, record.class_counts, record.settings)
    _check_core(record)
    names = set(record.schema.names)
    for ranking in record.weighed:
        lengths = len(ranking.families), len(ranking.bits)
        known = ranking.column in names and lengths[0] > 0 and lengths[1] in (0, lengths[0])
        demand(known, f"the families of {ranking.column!r} are not ranked")


def _check_slots(record: Record) -> None:
    demand(len(record.slots) == len(record.tally.parts), "it does not have what was seen of every slot")
    taken: list[int] = []
    for slot, seen in zip(record.slots, record.tally.parts, strict=True):
        _check_slot(slot, record.schema)
        if slot.reads is not Reads.GAPS:
            taken += slot.columns
        check_statistic(slot, seen, len(record.class_of), record.schema)
    demand(len(set(taken)) == len(taken), "a column is described twice")
    gaps = [slot.reads is Reads.GAPS for slot in record.slots]
    demand(not any(gaps[:-1]), "whether cells are missing is described before the cells")


def _check_slot(slot: Slot, schema: Schema) -> None:
    d, family = len(schema.columns), slot.family
    inside = slot.columns and min(slot.columns) >= 0 and max(slot.columns) < d
    demand(
        bool(inside) and len(set(slot.columns)) == len(slot.columns), "a slot has columns that are not there"
    )
    columns = different(schema.columns, slot.columns)
    suitable: dict[Reads, Callable[[Column], bool]] = {
        Reads.CODES: lambda column: family.kinds[0].coded and column.kind in family.kinds,
        Reads.NUMBERS: lambda column: not family.kinds[0].coded and column.kind in family.kinds,
        Reads.WORDS: lambda column: (
            column.words is not None and family is _of_words(column) and len(slot.columns) == 1
        ),
        Reads.GAPS: lambda column: column.levels is None and family is Bernoulli,
    }
    for column in columns:
        fit = suitable[slot.reads](column)
        demand(fit, f"column {column.name!r} is {column.kind}, and described by {family.name}")
    demand(_is_prior(slot.prior), f"a {type(slot.prior).__name__} is no prior")
    if isinstance(slot.prior, Spread):
        known = issubclass(family, MultivariateNormal) and slot.prior.is_of(len(slot.columns))
        demand(known, "the floor of variances is none of these columns")


def _check_core(record: Record) -> None:
    """Refuse priors of other groups or columns, and cells that no density has: what they make shows it.

    Only such models are estimated at once, as they are when they are fitted; others may be large.
    """
    odd = (Prior, MEstimate, Spread)
    if not any(isinstance(s.prior, odd) or s.family.statistic is Cells for s in record.slots):
        return
    g = len(record.class_of)
    for slot, made in zip(record.slots, record.core.parts, strict=True):
        width = len(slot.columns)
        if isinstance(made, WordsPart):
            made, width = made.words, len(made.kept)
        batch = (g,) if slot.family.joint else (g, width)
        demand(made is None or made.batch == batch, "a prior is that of other columns")


def _of_words(column: Column) -> type:
    return Bernoulli if column.words is not None and column.words.bits else Multinomial


def _is_prior(prior: Any) -> bool:
    if isinstance(prior, Shrinkage | Spread):
        return True
    strength = prior.strength if isinstance(prior, Smoothing) else prior
    if type(strength) in (int, float):
        return bool(0 <= strength < HEAVIEST)
    return prior is None or isinstance(prior, Prior) or (isinstance(prior, str) and prior == "default")
