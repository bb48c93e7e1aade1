"""A member fitted several times, each with other folds: the mean of its scores hangs less on chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.pool.reading.reading import View

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class RepeatedMember:
    """Members of one sort."""

    members: tuple[Any, ...]

    def scores(self, view: View) -> Floats:
        """Of each row, (n, t): the mean over the repeats."""
        return np.asarray(np.mean([one.scores(view) for one in self.members], axis=0))

    def by_fold(self, view: View) -> Floats | None:
        """By the folds of the first, (folds, n, t): a mean over repeats would spread less than rows do."""
        folds: Floats | None = self.members[0].by_fold(view)
        return folds
