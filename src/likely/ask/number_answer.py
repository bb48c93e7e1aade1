"""The distribution of a number: an answer that is a curve."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.ask.datetimes import as_value
from likely.ask.truncated_mixture import TruncatedMixture
from likely.draw import DensityCurve
from likely.draw.histogram import histogram, label_axis
from likely.draw.posteriors import Band, posteriors
from likely.errors import LikelyError
from likely.format import words
from likely.format.html_table import html_table
from likely.table.column.column import Column

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

POINTS = 401  # of a curve
BARS = 60  # whole numbers of which each has a bar
EDGE = 1e-3  # of the probability is not drawn on either side
SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)  # the quantiles that are shown


@dataclass(frozen=True, eq=False, repr=False)
class NumberAnswer:
    """The distribution of a number: mean, sd and quantiles, cdf and density."""

    question: str
    column: Column
    mixture: TruncatedMixture

    @property
    def mean(self) -> float:
        """The expectation."""
        return self.mixture.mean

    @property
    def sd(self) -> float:
        """The standard deviation."""
        return self.mixture.sd

    def quantile(self, share: float) -> float:
        """The least value that this share of the values does not exceed."""
        return self.mixture.quantile(share)

    def cdf(self, x: float) -> float:
        """P(X <= x)."""
        return float(self.mixture.cdf(x))

    def density(self, x: ArrayLike) -> Floats:
        """The density at x, or the probability of a whole number."""
        values = np.asarray(x, np.float64)
        return self.mixture.density(values.ravel()).reshape(values.shape)

    def to_dict(self) -> dict[str, Any]:
        """Question, mean, sd and quantiles, ready for JSON."""
        quantiles = {f"{share:g}": words.json_ready(value) for share, value in self._quantiles.items()}
        said = {"mean": self._or_none("mean"), "sd": self._or_none("sd"), "quantiles": quantiles}
        return {"question": self.question, "answer": said, "unit": self.column.unit}

    @cached_property
    def _quantiles(self) -> dict[float, float]:
        return dict(zip(SHARES, self.mixture.quantiles(np.array(SHARES)).tolist(), strict=True))

    def _or_none(self, what: str) -> float | None:
        """The mean or sd; None where the tails are too heavy to have one."""
        try:
            return float(getattr(self.mixture, what))
        except LikelyError:
            return None

    def _rows(self) -> list[list[str]]:
        mean, sd = self._or_none("mean"), self._or_none("sd")
        rows = [["mean", "none" if mean is None else self._value(mean)]]
        rows.append(["sd", "none" if sd is None else words.shown(sd)])
        return [*rows, *([f"{share:.0%}", self._value(value)] for share, value in self._quantiles.items())]

    def _value(self, number: float) -> str:
        return words.shown(as_value(self.column, number))

    def __repr__(self) -> str:
        unit = f" ({self.column.unit})" if self.column.unit else ""
        return "\n".join([f"{self.question}{unit}", "", words.table(self._rows(), "<>")])

    def plot(self, ax: Axes | None = None) -> Axes:
        """The density, shaded where 90 % of the values lie; or a bar for each whole number.

        >>> import likely
        >>> model = likely.NaiveBayes().fit({"x": [1.0, 2.0, 4.0], "y": ["a", "a", "b"]}, "y")
        >>> model.ask("P(x)").plot().get_title(loc="left")
        'P(x)'
        """
        low, high = (float(end) for end in self.mixture.quantiles(np.array([EDGE, 1 - EDGE])))
        lower, upper = self._quantiles[SHARES[0]], self._quantiles[SHARES[-1]]
        xlabel = f"{words.shown(self.column.name)}; 90 % from {self._short(lower)} to {self._short(upper)}"
        if self.mixture.whole and high - low < BARS:
            x = np.arange(low, high + 1)
            edges = np.append(x - 0.5, high + 0.5).tolist()
            ax = histogram(edges, self.density(x).tolist(), title=self.question, xlabel=xlabel, ax=ax)
        else:
            x = np.linspace(low, high, POINTS) if low < high else np.array([low - 1, low, low + 1])
            x = np.unique(np.round(x)) if self.mixture.whole else x
            curve = DensityCurve("", x.tolist(), self.density(x).tolist())
            band = Band(lower, upper)
            ax = posteriors([curve], [lower], band=band, title=self.question, xlabel=xlabel, ax=ax)
        ax.set_ylabel("probability" if self.mixture.whole else "density")
        if self.column.unit is not None:
            label_axis(ax.xaxis, self._value)
        return ax

    def _short(self, number: float) -> str:
        return self._value(number if self.column.unit else float(f"{number:.4g}"))

    def _repr_html_(self) -> str:
        return html_table(self.question, (), self._rows(), (), "<>")
