"""What was found about the base rate of a batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.score.rate import Rate
from likely.table.build import to_table
from likely.table.read.into import library_for

DRIFT = 0.01  # a batch whose base rate is as far from that of training less often than this has drifted


@dataclass(frozen=True, eq=False)
class BaseRates:
    """The estimated share of each class in a batch, with intervals, beside those of training.

    `rates` can be given to `with_base_rate`. `p_value` says how often a batch from the base rate of training
    would lie as far off.
    """

    rates: dict[Any, Rate]
    trained: dict[Any, float]
    n: int
    p_value: float

    @property
    def drifted(self) -> bool:
        """Whether the base rate is not that of training: it would look so by chance in 1 batch of 100."""
        return self.p_value < DRIFT

    def to_frame(self) -> Any:
        """A row for each class."""
        found = list(self.rates.values())
        columns = {
            "class": np.array([str(label) for label in self.rates], object),
            "base_rate": np.array([float(rate) for rate in found]),
            "low": np.array([rate.interval[0] for rate in found]),
            "high": np.array([rate.interval[1] for rate in found]),
            "trained": np.array(list(self.trained.values())),
        }
        return to_table(columns, library_for(None))

    def __repr__(self) -> str:
        lines = [
            f"{label}: {rate:.3f} ({rate.interval[0]:.3f} to {rate.interval[1]:.3f}), trained on "
            f"{self.trained[label]:.3f}"
            for label, rate in self.rates.items()
        ]
        return "\n".join([*lines, f"{self.n} rows; drifted: {self.drifted} (p = {self.p_value:.2g})"])
