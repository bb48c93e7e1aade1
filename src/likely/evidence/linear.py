"""Two classes whose log-odds are linear in the features: evidence as weights and a bias."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse

from likely.errors import LikelyError
from likely.evidence.render import TOP, first, shares, strongest, title
from likely.format import words
from likely.table.build import to_table

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LinearForm:
    """log-odds = bias + weights . x: x_j is a number, a count, or 1 where feature j is true and 0 where not.

    >>> LinearForm(("offer", "hello"), np.log([16, 3]), np.zeros(2), np.log(1 / 6), ("spam", "ham"))
    spam against ham: log-odds = bias + weights . features
    <BLANKLINE>
    bias   -1.79     ▐██████│
    offer  +2.77            │██████████
    hello  +1.10            │████
    """

    names: tuple[str, ...]  # (d,)
    weights: Floats  # (d,), nats
    centre: Floats  # (d,): where log-odds are measured from, which keeps their digits
    at_centre: float  # the log-odds there
    classes: tuple[Any, Any]  # the class that positive weights speak for, and the one against
    library: str = "numpy"

    @property
    def bias(self) -> float:
        """The log-odds of a row whose features are all 0."""
        return float(self.at_centre - self.weights @ self.centre)

    def decision(self, x: ArrayLike) -> Any:
        """The log-odds of rows x, (n, d), dense or sparse; or of one row, (d,).

        >>> form = LinearForm(("offer",), np.log([16]), np.zeros(1), np.log(1 / 4), ("spam", "ham"))
        >>> form.decision([[1], [0]]).round(3)
        array([ 1.386, -1.386])
        """
        x = x if issparse(x) else np.asarray(x, np.float64)
        if x.shape[-1:] != self.weights.shape:
            raise LikelyError(f"rows have the shape {x.shape}: give {len(self.names)} columns, one a feature")
        apart = x - self.centre if self.centre.any() else x
        log_odds = self.at_centre + apart @ self.weights
        if np.isnan(log_odds).any():
            raise LikelyError(
                "a value is missing: a linear form needs one in every feature; ask the model's ledger"
            )
        return log_odds

    def text(self, *, bits: bool = False, top: int | None = None) -> str:
        """A table in plain text, largest weights first; with `top`, only so many.

        >>> form = LinearForm(("a", "offer"), np.log([3, 16]), np.zeros(2), np.log(1 / 6), ("spam", "ham"))
        >>> print(form.text(bits=True, top=1))
        spam against ham: log-odds = bias + weights . features (bits)
        <BLANKLINE>
        bias   -2.58     ▐██████│
        offer  +4.00            │██████████
        and 1 other feature, each with a smaller weight
        """
        places = strongest(self.weights.tolist())
        kept = first(top, places)
        unit = words.LOG_2 if bits else 1.0
        amounts = [self.bias, *self.weights[kept].tolist()]
        names = ["bias", *(words.shown(self.names[j]) for j in kept)]
        rows = [
            [name, words.signed(amount / unit), words.bar(share)]
            for name, amount, share in zip(names, amounts, shares(amounts), strict=True)
        ]
        head = f"{title(*self.classes)}: log-odds = bias + weights . features"
        lines = [head + (" (bits)" if bits else ""), "", words.table(rows, "<><")]
        if len(kept) < len(places):
            hidden = words.many(len(places) - len(kept), "other feature")
            lines.append(f"and {hidden}, each with a smaller weight")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text(top=TOP)

    __repr__ = __str__

    def to_frame(self) -> Any:
        """Name and weight, in the order of the features; the bias comes first.

        >>> LinearForm(("offer",), np.array([2.0]), np.ones(1), 3.0, ("spam", "ham")).to_frame()
        {'name': array(['bias', 'offer'], dtype=object), 'weight': array([1., 2.])}
        """
        names = np.array(["bias", *self.names], object)
        return to_table({"name": names, "weight": np.array([self.bias, *self.weights])}, self.library)
