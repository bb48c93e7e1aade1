"""Warnings about a column beside the target: one that gives it away, and a target with gaps."""

from __future__ import annotations

import math
from collections.abc import Iterator

from likely.format.words import many
from likely.report.profile.column_counts import Seen
from likely.report.profile.target_counts import Target
from likely.report.profile.warnings import Caution, share

GIVES_AWAY = 0.8  # share of what it takes to tell the target, in rows left out
ENOUGH = 30  # rows where it is known
BY_CHANCE = 1e-9  # probability below which a column that is known in one class alone is no accident


def about_target(seen: Seen, target: Target) -> Iterator[Caution]:
    """Whether a column, or whether it is known at all, nearly settles the target."""
    found = seen.association
    if found is None:
        return
    remedy = "Leave it out if it is known only once the target is, or was made from it."
    if found.share >= GIVES_AWAY and found.n >= ENOUGH:
        yield Caution(
            seen.name,
            "gives the target away",
            f"Learnt from the other rows, it tells {share(found.share, 1)} of what there is to know about "
            f"{target.name!r}. {remedy}",
        )
    if found.missing_share >= GIVES_AWAY and seen.looked.n >= ENOUGH:
        yield Caution(
            seen.name,
            "gives the target away",
            f"Whether it is missing tells {share(found.missing_share, 1)} of what there is to know about "
            f"{target.name!r}. {remedy}",
        )
    elif found.where_known is not None and found.n:
        base = int(target.totals[found.where_known]) / int(target.totals.sum())
        if found.n * math.log(base) < math.log(BY_CHANCE):
            yield Caution(
                seen.name,
                "gives the target away",
                f"In all {found.n} rows where it is known, {target.name!r} is the same. {remedy}",
            )


def about_gaps(seen: Seen) -> Iterator[Caution]:
    """A target that is missing here and there."""
    if seen.missing and seen.known:
        message = f"{many(seen.missing, 'row')} without it: leave such rows out before a model is fitted."
        yield Caution(seen.name, "target missing", message)
