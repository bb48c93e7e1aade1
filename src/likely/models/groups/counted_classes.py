"""What records share that count the rows of each class: the classes, their weights, and the base rate."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.estimator.fitted import OfTarget
from likely.models.groups.tally import Settings, base_rates

Floats = NDArray[np.float64]


class CountedClasses(OfTarget):
    """A record of a classifier that keeps the counts of its classes, which give the base rate."""

    class_counts: Floats  # (g,)
    settings: Settings  # of the base rate

    @property
    def of_rows(self) -> bool:
        """Whole rows are modelled."""
        return True

    @property
    def group_names(self) -> tuple[Any, ...]:
        """The classes."""
        return self.classes

    @property
    def n(self) -> float:
        """The weight of the rows."""
        return float(self.class_counts.sum())

    @cached_property
    def rates(self) -> Floats:
        """P(class), (g,)."""
        return base_rates(self.classes, self.class_counts, self.settings)

    @property
    def rate_parameters(self) -> int:
        """The free numbers of the base rate: none if it was given."""
        return len(self.classes) - 1 if self.settings.base_rate is None else 0
