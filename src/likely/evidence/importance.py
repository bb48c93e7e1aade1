"""How much evidence each feature brings, over many rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.draw import bars
from likely.evidence.ledger import Floats, Ints, Ledgers
from likely.evidence.render import TOP, first, order_words, shares, strongest
from likely.format import words
from likely.table.build import to_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class Importance:
    """The mean absolute evidence of each feature; prints itself strongest first.

    >>> Importance(("age", "sex"), np.array([0.25, 1.0]), np.array([0, 3]), n=40)
    mean absolute evidence (nats), 40 rows
    <BLANKLINE>
    sex  1.00  ██████████  infinite in 3 rows
    age  0.25  ██▌
    """

    names: tuple[str, ...]  # (d,)
    mean_absolute: Floats  # (d,), nats, over the rows with finite evidence; NaN where there are none
    infinite: Ints  # (d,), rows whose evidence is infinite or undefined, left out of the mean
    n: int  # rows
    order: tuple[str, ...] | None = None  # features were added one after another, in this order
    library: str = "numpy"

    def text(self, *, bits: bool = False, top: int | None = None) -> str:
        """A table in plain text, strongest first; with `top`, only so many features.

        >>> print(Importance(("a", "b"), np.log([2.0, 4.0]), np.zeros(2, int), n=1).text(bits=True, top=1))
        mean absolute evidence (bits), 1 row
        <BLANKLINE>
        b  2.00  ██████████
        and 1 other feature, each with less
        """
        places = strongest(self.mean_absolute.tolist())
        kept = first(top, places)
        unit = words.LOG_2 if bits else 1.0
        rows = [
            [
                words.shown(self.names[j]),
                self._amount(j, unit),
                words.right_bar(share),
                self._note(j),
            ]
            for j, share in zip(kept, shares(self.mean_absolute[kept].tolist()), strict=True)
        ]
        lines = [f"mean absolute evidence ({'bits' if bits else 'nats'}), {words.many(self.n, 'row')}", ""]
        lines += [words.table(rows, "<><<")] if rows else []
        if len(kept) < len(places):
            lines.append(f"and {words.many(len(places) - len(kept), 'other feature')}, each with less")
        return "\n".join([*lines, *order_words(self.order)])

    def __str__(self) -> str:
        return self.text(top=TOP)

    __repr__ = __str__

    def _amount(self, j: int, unit: float = 1.0) -> str:
        amount = self.mean_absolute[j] / unit
        return "inf" if math.isnan(amount) and self.infinite[j] else f"{amount:.2f}"

    def _note(self, j: int) -> str:
        return f"infinite in {words.many(int(self.infinite[j]), 'row')}" if self.infinite[j] else ""

    def to_frame(self) -> Any:
        """Name, mean absolute evidence in nats and number of infinite rows, strongest first.

        >>> Importance(("a", "b"), np.array([0.5, 1.0]), np.zeros(2, int), n=1).to_frame()["name"]
        array(['b', 'a'], dtype=object)
        """
        places = strongest(self.mean_absolute.tolist())
        columns = {
            "name": np.array([self.names[j] for j in places], object),
            "mean absolute evidence": self.mean_absolute[places],
            "infinite rows": self.infinite[places],
        }
        return to_table(columns, self.library)

    def plot(self, ax: Axes | None = None, *, top: int | None = TOP) -> Axes:
        """Horizontal bars, strongest first; a feature whose evidence is never finite is an arrow.

        >>> ax = Importance(("a", "b"), np.array([0.5, 1.0]), np.zeros(2, int), n=1).plot()
        >>> [label.get_text() for label in ax.get_yticklabels()]
        ['b', 'a']
        """
        kept = first(top, strongest(self.mean_absolute.tolist()))
        return bars(
            [words.shown(self.names[j]) for j in kept],
            [math.inf if self._amount(j) == "inf" else float(self.mean_absolute[j]) for j in kept],
            [f"{self._amount(j)}  {self._note(j)}".strip() for j in kept],
            title="mean absolute evidence",
            xlabel=". ".join([f"nats of log-odds, {words.many(self.n, 'row')}", *order_words(self.order)]),
            ax=ax,
        )


def importance(ledgers: Ledgers) -> Importance:
    """The mean absolute evidence of each feature over the rows; a missing value counts as no evidence.

    >>> ledgers = Ledgers(
    ...     classes=("no", "yes"), names=("a", "b"), favoured=np.ones(2, int), against=np.zeros(2, int),
    ...     base=np.zeros(2), terms=np.array([[1.0, -2.0], [-3.0, -np.inf]]), rest=np.zeros((2, 0)),
    ...     rest_names=(), status=np.zeros((2, 2), np.int8), log_posterior=np.zeros((2, 2)),
    ...     value=lambda i, j: "",
    ... )
    >>> importance(ledgers)
    mean absolute evidence (nats), 2 rows
    <BLANKLINE>
    a  2.00  ██████████
    b  2.00  ██████████  infinite in 1 row
    """
    finite = np.isfinite(ledgers.terms)
    known = finite.sum(axis=0)
    sums = np.abs(ledgers.terms).sum(axis=0, where=finite, initial=0.0)
    mean = np.divide(sums, known, out=np.full(len(known), np.nan), where=known > 0)
    return Importance(ledgers.names, mean, len(ledgers) - known, len(ledgers), ledgers.order, ledgers.library)
