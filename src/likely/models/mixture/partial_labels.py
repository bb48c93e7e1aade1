"""Where EM begins when some rows tell which groups they may belong to."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from likely.models.mixture.init import Start
from likely.stats import Groups

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

LEAST = 1e-3  # share that a row with a label is given in every group that the label leaves open


def told_groups(start: Start, label: Ints, allowed: Bools) -> Iterator[Groups]:
    """The groups that each run begins with; of each row `label` (-1 for nothing) tells which are `allowed`.

    Where the labels share out all groups among themselves, the rows with a label are all there is to begin
    with: those of a label that leaves several groups open are clustered on their own. Else all rows are
    clustered, and a label's group is put where its rows are.
    """
    if len(allowed) and (allowed.sum(axis=0) == 1).all():
        yield from _within_labels(start, label, allowed)
        return
    for groups in start.each(allowed.shape[1]):
        # Groups that the user gave are in the user's order.
        matched = _matched(groups, label, allowed) if isinstance(start.init, str) else groups
        yield _kept_to(matched, label, allowed)


def _within_labels(start: Start, label: Ints, allowed: Bools) -> Iterator[Groups]:
    if not isinstance(start.init, str):
        (groups,) = start.each(allowed.shape[1])
        yield _kept_to(groups, label, allowed)
        return
    chances = start.chances()
    if (allowed.sum(axis=1) == 1).all():  # no chance in it: once is enough
        chances = iter([next(chances)])
    for rng in chances:
        shares = np.zeros((len(label), allowed.shape[1]))
        for place, open_to in enumerate(allowed):
            weight = np.where(label == place, start.weight, 0.0)
            inside, own = weight > 0, np.flatnonzero(open_to)
            if inside.any():
                started = start.groups(len(own), weight, rng) if len(own) > 1 else Groups.one(len(label))
                shares[np.ix_(inside, own)] = started.matrix[inside]
        yield Groups.softly(shares)


def _matched(groups: Groups, label: Ints, allowed: Bools) -> Groups:
    """The groups in the order in which most rows with a label are in one that the label leaves open."""
    from scipy.optimize import linear_sum_assignment

    told = label >= 0
    rows = Groups.hard(label[told], len(allowed)).sum(groups.matrix[told])  # (labels, g)
    _, place = linear_sum_assignment(rows.T @ allowed, maximize=True)
    shares = np.empty_like(groups.matrix)
    shares[:, place] = groups.matrix
    return Groups.softly(shares)


def _kept_to(groups: Groups, label: Ints, allowed: Bools) -> Groups:
    """The groups, rows with a label in those alone that it leaves open."""
    shares = groups.matrix.copy()
    told = label >= 0
    inside = np.where(allowed[label[told]], shares[told] + LEAST, 0.0)
    shares[told] = inside / inside.sum(axis=1, keepdims=True)
    return Groups.softly(shares)
