"""Two classes and features that are true or false: evidence as weights and a bias."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse

from likely.errors import LikelyError
from likely.evidence import words
from likely.evidence.face import TOP, title
from likely.evidence.strength import first, shares, strongest
from likely.table.build import to_table

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LinearForm:
    """log-odds = bias + weights . x, with x_j 1 where feature j is true and 0 where it is false.

    >>> linear_form([0.8, 0.5], [0.2, 0.25], 0.0, ("offer", "hello"), ("spam", "ham"))
    spam against ham: log-odds = bias + the weights of what is true
    <BLANKLINE>
    bias   -1.79     ▐██████│
    offer  +2.77            │██████████
    hello  +1.10            │████
    """

    names: tuple[str, ...]  # (d,)
    weights: Floats  # (d,), nats
    bias: float  # the log-odds of a row in which nothing is true
    classes: tuple[Any, Any]  # the class that positive weights speak for, and the one against
    library: str = "numpy"

    def decision(self, x: Any) -> Any:
        """The log-odds of rows x, (n, d), dense or sparse; or of one row, (d,).

        >>> form = linear_form([0.8], [0.2], 0.0, ("offer",), ("spam", "ham"))
        >>> form.decision([[1], [0]]).round(3)
        array([ 1.386, -1.386])
        """
        x = x if issparse(x) else np.asarray(x, np.float64)
        if x.shape[-1:] != self.weights.shape:
            raise LikelyError(f"rows have the shape {x.shape}: give {len(self.names)} columns, one a feature")
        log_odds = self.bias + x @ self.weights
        if np.isnan(log_odds).any():
            raise LikelyError(
                "a value is missing: a linear form needs 0 or 1 everywhere; ask the model's ledger"
            )
        return log_odds

    def text(self, *, bits: bool = False, top: int | None = None) -> str:
        """A table in plain text, largest weights first; with `top`, only so many.

        >>> form = linear_form([0.8, 0.5], [0.2, 0.25], 0.0, ("offer", "hello"), ("spam", "ham"))
        >>> print(form.text(bits=True, top=1))
        spam against ham: log-odds = bias + the weights of what is true (bits)
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
        head = f"{title(*self.classes)}: log-odds = bias + the weights of what is true"
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

        >>> linear_form([0.5], [0.5], 1.0, ("offer",), ("spam", "ham")).to_frame()
        {'name': array(['bias', 'offer'], dtype=object), 'weight': array([1., 0.])}
        """
        names = np.array(["bias", *self.names], object)
        return to_table({"name": names, "weight": np.array([self.bias, *self.weights])}, self.library)


def linear_form(
    p_favoured: ArrayLike,
    p_against: ArrayLike,
    base: float,
    names: Sequence[str],
    classes: tuple[Any, Any],
    library: str = "numpy",
) -> LinearForm:
    """The weights and bias of P(true) of each feature in either class (CIML, equation 9.28).

    A feature that is true adds log(p1 / p0), and one that is false log((1 - p1) / (1 - p0)); the bias takes
    in the second for every feature, and the weight is what being true changes.

    >>> linear_form([0.5], [0.25], 0.0, ("offer",), ("spam", "ham")).weights.round(4)
    array([1.0986])
    """
    p1, p0 = np.asarray(p_favoured, np.float64), np.asarray(p_against, np.float64)
    for label, p in zip(classes, (p1, p0), strict=True):
        if p.shape != (len(names),):
            raise LikelyError(
                f"P(true) in {label!r} has the shape {p.shape}: one for each of {len(names)} names"
            )
        for j in np.flatnonzero(~((p > 0) & (p < 1)))[:1]:
            raise LikelyError(
                f"feature {names[j]!r} has P(true) = {p[j]:g} in {label!r}, which has no finite weight: "
                "estimate with a prior, so that nothing is impossible"
            )
    log_false = np.log1p(-p1) - np.log1p(-p0)  # (d,)
    weights = np.log(p1) - np.log(p0) - log_false
    return LinearForm(tuple(names), weights, float(base + log_false.sum()), classes, library)
