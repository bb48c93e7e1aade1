"""Correlation-based feature selection (Hall's CFS): columns that tell of the class, and not of each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from likely.stats.groups import Floats, Ints

PATIENCE = 5  # columns that are taken in without making the set better, before the search ends


@dataclass(frozen=True)
class MeritPath:
    """Columns in the order in which they were taken in, and the merit of each set with those before it."""

    places: Ints  # (s,)
    merits: Floats  # (s,)

    @property
    def best(self) -> int:
        """How many columns the best set has."""
        return int(np.argmax(self.merits)) + 1 if len(self.merits) else 0


def merit_path(of_class: Floats, between: Callable[[int], Floats], most: int | None = None) -> MeritPath:
    """Take in, one after another, the column that makes the merit k r_cf / sqrt(k + k (k - 1) r_ff) greatest.

    r_cf is the mean of what the columns tell of the class, (d,), and r_ff of what they tell of each other:
    `between` gives (d,) for one column. Ends when the merit has not risen for some columns, or with `most`.

    >>> path = merit_path(np.array([0.4, 0.5]), lambda j: np.array([[1.0, 0.9], [0.9, 1.0]])[j])
    >>> path.places, path.merits.round(4), path.best
    (array([1, 0]), array([0.5   , 0.4617]), 1)
    """
    d = len(of_class)
    left, told, shared = np.ones(d, bool), 0.0, 0.0  # told: sum of r_cf; shared: of r_ff over pairs
    beside = np.zeros(d)  # what each column shares with those taken in
    places: list[int] = []
    merits: list[float] = []
    while left.any() and len(places) < (d if most is None else most):
        k = len(places) + 1
        merit = np.where(left, (told + of_class) / np.sqrt(k + 2 * (shared + beside)), -np.inf)
        j = int(np.argmax(merit))
        if most is None and merits and k - int(np.argmax(merits)) > PATIENCE + 1:
            break
        places.append(j)
        merits.append(float(merit[j]))
        left[j] = False
        told, shared = told + of_class[j], shared + beside[j]
        beside = beside + between(j)
    return MeritPath(np.array(places, np.intp), np.array(merits))
