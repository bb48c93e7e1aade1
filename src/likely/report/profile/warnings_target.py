"""Warnings about a column beside the target: one that gives it away, and a target with gaps."""

from __future__ import annotations

import math
from collections.abc import Iterator

from likely.format.words import many
from likely.report.profile.column_counts import ColumnCounts
from likely.report.profile.target_counts import TargetGroups
from likely.report.profile.warnings import ColumnWarning, share

GIVES_AWAY = 0.8  # share of what it takes to tell the target, in rows left out
ENOUGH = 30  # rows where it is known
BY_CHANCE = 1e-9  # probability below which a column that is known in one class alone is no accident


def about_target(counted: ColumnCounts, target: TargetGroups) -> Iterator[ColumnWarning]:
    """Whether a column, or whether it is known at all, nearly settles the target."""
    association = counted.association
    if association is None:
        return
    remedy = "Leave it out if it is known only once the target is, or was made from it."
    if association.share >= GIVES_AWAY and association.n >= ENOUGH:
        yield ColumnWarning(
            counted.name,
            "gives the target away",
            f"Learnt from the other rows, it tells {share(association.share, 1)} of what there is to know "
            f"about {target.name!r}. {remedy}",
        )
    if association.missing_share >= GIVES_AWAY and counted.n >= ENOUGH:
        yield ColumnWarning(
            counted.name,
            "gives the target away",
            f"Whether it is missing tells {share(association.missing_share, 1)} of what there is to know "
            f"about {target.name!r}. {remedy}",
        )
    elif association.where_known is not None and association.n:
        base = int(target.totals[association.where_known]) / int(target.totals.sum())
        if association.n * math.log(base) < math.log(BY_CHANCE):
            yield ColumnWarning(
                counted.name,
                "gives the target away",
                f"In all {association.n} rows where it is known, {target.name!r} is the same. {remedy}",
            )


def about_gaps(counted: ColumnCounts) -> Iterator[ColumnWarning]:
    """A target that is missing here and there."""
    if counted.missing and counted.known:
        message = f"{many(counted.missing, 'row')} without it: leave such rows out before a model is fitted."
        yield ColumnWarning(counted.name, "target missing", message)
