"""Whether columns could be independent, given others: how far rows are from it, and how often by chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.dist.numeric.logs import special
from likely.score.columns import Sample
from likely.score.entropy import LOG_2, MUTUAL, total
from likely.stats.groups import Floats, Groups, Ints


@dataclass(frozen=True, repr=False)
class Independence:
    """What x and y tell of each other given others, and how probable as much is by chance alone."""

    x: tuple[str, ...]
    y: tuple[str, ...]
    given: tuple[str, ...]
    n: float  # rows without a missing cell, or their weight
    bits: float  # the mutual information
    degrees: int  # (k_x - 1) (k_y - 1) for each combination of levels of `given` that occurs
    g: float  # 2 n ln 2 times the bits, about chi-squared if they are independent
    p: float  # of G so large or larger
    pearson: float  # Pearson's chi-squared, likewise
    pearson_p: float

    def to_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {
            "x": list(self.x),
            "y": list(self.y),
            "given": list(self.given),
            "rows": self.n,
            "bits": self.bits,
            "degrees": self.degrees,
            "g": self.g,
            "p": self.p,
            "pearson": self.pearson,
            "pearson_p": self.pearson_p,
        }

    def __repr__(self) -> str:
        known = f" given {', '.join(self.given)}" if self.given else ""
        verdict = "no sign of dependence" if self.p > 0.05 else "hardly independent"
        return (
            f"{', '.join(self.x)} and {', '.join(self.y)}{known}: {verdict}\n"
            f"{self.bits:.3g} bits from {self.n:g} rows\n"
            f"G = {self.g:.4g} with {self.degrees} degrees of freedom: p = {self.p:.3g}\n"
            f"Pearson's chi-squared = {self.pearson:.4g}: p = {self.pearson_p:.3g}"
        )


def independence_of(
    x: object,
    y: object,
    given: object = None,
    *,
    table: object = None,
    weight: ArrayLike | None = None,
    kinds: object = None,
) -> Independence:
    """Test whether x and y are independent once `given` is known; each is what `entropy_of` takes.

    G is 2 n ln 2 times their mutual information in bits; Pearson's statistic is the sum of (counted -
    expected)^2 / expected. If they are independent and the counts are not small, both are chi-squared with
    (k_x - 1)(k_y - 1) degrees of freedom for each combination of levels of `given` that occurs.

    >>> import likely
    >>> days = likely.read("play_tennis", into="dict")
    >>> independence_of("play", "outlook", table=days)
    play and outlook: no sign of dependence
    0.247 bits from 14 rows
    G = 4.789 with 2 degrees of freedom: p = 0.0912
    Pearson's chi-squared = 3.547: p = 0.17
    """
    sample = Sample.of({"x": x, "y": y, "given": given}, table, weight, kinds)
    bits, _ = total(MUTUAL, sample.mass)
    places = {role: _places(sample, role) for role in ("x", "y", "given")}
    pearson = _pearson(sample, places)
    n_levels = {role: int(own.max()) + 1 for role, own in places.items()}
    degrees = (n_levels["x"] - 1) * (n_levels["y"] - 1) * n_levels["given"]
    g = 2 * sample.n * LOG_2 * bits
    names = {
        role: tuple(c.name for c, own in zip(sample.columns, sample.roles, strict=True) if own == role)
        for role in places
    }
    p, pearson_p = (_tail(degrees, statistic) for statistic in (g, pearson))
    return Independence(
        names["x"], names["y"], names["given"], sample.n, bits, degrees, g, p, pearson, pearson_p
    )


def _places(sample: Sample, role: str) -> Ints:
    """The number of each row's combination of levels among those that occur, (n,)."""
    own = [j for j, name in enumerate(sample.roles) if name == role]
    if not own:
        return np.zeros(len(sample.codes), np.intp)
    return np.asarray(np.unique(sample.codes[:, own], axis=0, return_inverse=True)[1]).ravel()


def _pearson(sample: Sample, places: dict[str, Ints]) -> float:
    """The sum of (counted - expected)^2 / expected: that of counted^2 / expected, less n."""

    def counts(*roles: str) -> tuple[Floats, Ints]:
        """How much weight each combination that occurs has, and the one of every row."""
        rows = np.stack([places[role] for role in roles], axis=1)
        cell = np.asarray(np.unique(rows, axis=0, return_inverse=True)[1]).ravel()
        return Groups.hard(cell, int(cell.max()) + 1, sample.weight).total, cell

    joint, cell = counts("x", "y", "given")
    first = np.unique(cell, return_index=True)[1]  # a row of each combination
    ones, twos, strata = (
        weights[own[first]] for weights, own in (counts("x", "given"), counts("y", "given"), counts("given"))
    )
    return max(0.0, float((joint**2 * strata / (ones * twos)).sum() - sample.n))


def _tail(degrees: int, statistic: float) -> float:
    """P(chi-squared so large or larger)."""
    return float(special("chdtrc", np.array(float(degrees)), np.array(statistic))) if degrees else 1.0
