"""The members of groups, and how they deviate from a centre."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from likely.stats.gathered import CANCELLATION
from likely.stats.groups import Floats, Groups
from likely.table.scratch import scratch_like


def members(rows: Floats, groups: Groups) -> Iterator[tuple[int, Floats, Floats | None]]:
    """The rows of each group, and their weights."""
    if groups.soft is not None:
        for group in range(groups.n_groups):
            yield group, *with_weight(rows, groups.soft[:, group])
        return
    codes, weight = groups.codes, groups.weight
    assert codes is not None
    # Rows without weight are absent. Small codes are sorted by their digits, in one go.
    small = codes.astype(
        np.uint8 if groups.n_groups <= 256 else np.uint16 if groups.n_groups <= 65536 else int
    )
    order = np.argsort(small, kind="stable")
    order = order if weight is None else order[weight[order] > 0]
    together = rows[order]
    ends = np.searchsorted(small[order], np.arange(groups.n_groups + 1))
    for group in range(groups.n_groups):
        part = slice(ends[group], ends[group + 1])
        yield group, together[part], None if weight is None else weight[order[part]]


def with_weight(rows: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """The rows that count at all, and how much."""
    inside = weight > 0
    return (rows, weight) if inside.all() else (rows[inside], weight[inside])


def around(mine: Floats, centre: Floats, n: float, weight: Floats | None) -> tuple[Floats, Floats, Floats]:
    """Mean less the centre (d,), scatter around the mean and squares around the centre, (d, d)."""
    own = np.subtract(mine, centre, out=scratch_like("deviations", mine))
    return of_deviations(own, n, weight)[1:]


def of_deviations(own: Floats, n: float, weight: Floats | None) -> tuple[float, Floats, Floats, Floats]:
    """The weight n of rows given as deviations from a centre, and what `around` says of them."""
    apart = (np.ones(len(own)) if weight is None else weight) @ own / (n or 1.0)
    if weight is not None:
        own = np.multiply(own, np.sqrt(weight)[:, None], out=scratch_like("weighed", own))
    squares = own.T @ own
    return n, apart, squares - n * apart[:, None] * apart, squares


def lost_digits(scatter: Floats, squares: Floats) -> NDArray[np.bool_]:
    """Whether a group's scatter is what little is left of the squares, by columns (..., d)."""
    return np.asarray((scatter * CANCELLATION < squares).any(axis=-1))
