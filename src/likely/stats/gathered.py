"""Statistics of soft groups in the making: blocks whose sums are simply added."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.stats.groups import Floats
from likely.stats.products import Products

# When the squares around a common centre exceed those around a group's own mean by this factor,
# subtracting one from the other would lose three digits: the deviations are then taken directly.
CANCELLATION = 1e3


@dataclass(frozen=True, slots=True)
class Gathered:
    """Products of rows around a centre, added up in soft groups. Those of one centre simply add.

    What each block would else spend on means and their merging is spent once, at the end.
    """

    statistic: Any  # the class that is made of them at last
    centre: Floats  # (d,)
    sums: Floats  # (g, p)

    @classmethod
    def of(cls, statistic: type[Any], rows: Floats, soft: Floats, crossed: bool) -> Gathered:
        """From rows (b, d) and the weight of each in every group, (b, g)."""
        held = Products.of(rows, crossed=crossed)
        return cls(statistic, held.centre, held.sums(soft))

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Gathered) and other.centre is self.centre:
            return Gathered(self.statistic, self.centre, self.sums + other.sums)
        return self.settled() + other.settled()

    def settled(self) -> Any:
        """The finished statistic."""
        return self.statistic.of_products(self)

    @property
    def parts(self) -> tuple[Floats, Floats, Floats]:
        """Weights (g, 1), deviations (g, d) and products (g, ...), added up."""
        d = len(self.centre)
        return self.sums[:, :1], self.sums[:, 1 : 1 + d], self.sums[:, 1 + d :]

    @property
    def gaps(self) -> bool:
        """Whether a cell was missing."""
        return bool(np.isnan(self.sums).any())

    def lost(self) -> NDArray[np.bool_]:
        """Groups and columns (g, d) so far off that little is left of their squares without the mean."""
        n, total, products = self.parts
        squares = products[:, : len(self.centre)]
        return np.asarray(squares * n * (1 - 1 / CANCELLATION) < total * total)
