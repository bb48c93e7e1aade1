"""How much evidence each feature brings, over many rows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.draw import bars
from likely.evidence.ledger import Floats, Ints, Ledgers
from likely.evidence.render import TOP, first, order_words, shares, strongest
from likely.format import words
from likely.format.html_table import html_right_bar, html_table
from likely.table.build import to_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ALIGN = "<><<"  # of the columns of the table


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
    what: str = "evidence"  # or contribution, in units of a number

    def text(self, *, bits: bool = False, top: int | None = None) -> str:
        """A table in plain text, strongest first; with `top`, only so many features.

        >>> print(Importance(("a", "b"), np.log([2.0, 4.0]), np.zeros(2, int), n=1).text(bits=True, top=1))
        mean absolute evidence (bits), 1 row
        <BLANKLINE>
        b  2.00  ██████████
        and 1 other feature, each with less
        """
        rows = self._rows(words.right_bar, top, words.LOG_2 if bits else 1.0)
        lines = [self._title("bits" if bits else "nats"), ""]
        lines += [words.table(rows, _ALIGN)] if rows else []
        return "\n".join([*lines, *self._foot(len(rows))])

    def _rows(self, bar: Callable[[float], str], top: int | None, unit: float = 1.0) -> list[list[str]]:
        kept = first(top, strongest(self.mean_absolute.tolist()))
        return [
            [words.shown(self.names[j]), self._amount(j, unit), bar(share), self._note(j)]
            for j, share in zip(kept, shares(self.mean_absolute[kept].tolist()), strict=True)
        ]

    def _title(self, unit: str) -> str:
        of = f"evidence ({unit})" if self.what == "evidence" else self.what
        return f"mean absolute {of}, {words.many(self.n, 'row')}"

    def _foot(self, shown: int) -> list[str]:
        rest = len(self.names) - shown
        more = [f"and {words.many(rest, 'other feature')}, each with less"] if rest else []
        return [*more, *order_words(self.order)]

    def __str__(self) -> str:
        return self.text(top=TOP)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = self._rows(html_right_bar, TOP)
        return html_table(self._title("nats"), (), rows, self._foot(len(rows)), _ALIGN)

    def _amount(self, j: int, unit: float = 1.0) -> str:
        amount = self.mean_absolute[j] / unit
        if math.isnan(amount) and self.infinite[j]:
            return "inf"
        return f"{amount:.2f}" if self.what == "evidence" else f"{amount:.3g}"

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
            f"mean absolute {self.what}": self.mean_absolute[places],
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
        unit = "nats of log-odds" if self.what == "evidence" else "units of what is predicted"
        return bars(
            [words.shown(self.names[j]) for j in kept],
            [math.inf if self._amount(j) == "inf" else float(self.mean_absolute[j]) for j in kept],
            [f"{self._amount(j)}  {self._note(j)}".strip() for j in kept],
            title=f"mean absolute {self.what}",
            xlabel=". ".join([f"{unit}, {words.many(self.n, 'row')}", *order_words(self.order)]),
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
