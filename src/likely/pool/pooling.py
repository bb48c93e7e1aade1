"""What all pools know: how the table is read, the members, and how their scores are pooled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.estimator.fitted import OfTarget
from likely.estimator.record import Described, Quantities
from likely.pool.projection import Projection
from likely.pool.reading.reading import Reading, View
from likely.table.column.column import Column
from likely.table.schema import Schema

Floats = NDArray[np.float64]

WIDTH = 1024  # cells that a row takes while members look at it, about


@dataclass(frozen=True)
class Others:
    """What else might have been said of rows: by pools of other rows, and by each member for all."""

    scores: Floats  # (n, t), what is said
    folds: Floats  # (folds, n, t), without the rows of one fold each; none if no member has folds
    members: Floats  # (m, n, t), by one member each
    shares: Floats  # (m,), what the members count for

    def stacked(self) -> Floats:
        """All of them, what is said first, (n, 1 + folds + m, t)."""
        return np.concatenate([self.scores[None], self.folds, self.members]).transpose(1, 0, 2)


def variance_of(values: Floats, n_folds: int, shares: Floats) -> Floats:
    """The variance of what is said, of something linear or nearly so in the scores, (..., 1 + folds + m).

    Pools without a fold spread by the jackknife's rule; members by what they count for. Both are added: rows
    that are few, and models of which none is right.
    """
    folds, members = values[..., 1 : 1 + n_folds], values[..., 1 + n_folds :]
    out = np.square(members - values[..., :1]) @ shares
    if n_folds:
        apart = folds - folds.mean(axis=-1, keepdims=True)
        out = out + (n_folds - 1) / n_folds * np.square(apart).sum(axis=-1)
    return np.asarray(out)


@dataclass(frozen=True)
class Pool(OfTarget):
    """score = sum of weight x score of the member + a constant."""

    reading: Reading
    target: Column
    names: tuple[str, ...]  # (m,)
    members: tuple[Any, ...]  # (m,); None where the weight is 0
    weights: Floats  # (m,)
    constants: Floats  # (t,)
    losses: Floats  # (m,), the loss of each member on rows that it had not seen
    loss: float  # that of the pool
    left_out: tuple[str, ...]  # which members, and why; and rows, if members saw a sample
    projection: Projection | None  # None if there was nothing to learn, as of a single class

    @property
    def schema(self) -> Schema:
        """Of the table."""
        return self.reading.schema

    @property
    def n_parameters(self) -> int:
        """The weights and constants of the pool; its members have many more."""
        return len(self.weights) + len(self.constants)

    @property
    def log_evidence(self) -> None:
        """None: a pool has no marginal likelihood."""
        return None

    @property
    def of_rows(self) -> bool:
        """The target is modelled, given the rest of a row."""
        return False

    def counts(self) -> dict[Described, Quantities]:
        """Nothing is counted of single columns."""
        return {}

    @property
    def counted(self) -> list[tuple[Any, float]]:
        """The members that count, each with its weight."""
        return [(one, float(w)) for one, w in zip(self.members, self.weights, strict=True) if one is not None]

    def scores(self, view: View) -> Floats:
        """Of rows that are told, (n, t)."""
        total = self.constants + np.zeros((len(view.bins), 1))
        for member, weight in self.counted:
            total += weight * member.scores(view)
        return total

    def others(self, view: View) -> Others:
        """What else might have been said of rows that are told."""
        weights = np.array([weight for _, weight in self.counted])
        total, n = float(weights.sum()), len(view.bins)
        own, apart, held = [], np.zeros((0, n, len(self.constants))), 0.0
        for member, weight in self.counted:
            own.append(member.scores(view))
            folds = member.by_fold(view)
            if folds is not None:  # those that have none are taken to spread as the others do
                part = weight * (folds - folds.mean(axis=0))
                apart, held = part if not len(apart) else apart + part, held + weight
        if not own:
            said = self.constants + np.zeros((n, 1))
            return Others(said, apart, apart, weights)
        members = np.stack(own)
        mean = np.tensordot(weights / total, members, 1)
        said = total * mean + self.constants
        folds = said + apart * (total / held) if held else apart
        return Others(said, folds, said + total * (members - mean), weights / total)
