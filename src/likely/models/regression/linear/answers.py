"""Answers of a linear regression: intervals of outcomes, and what each column adds to a prediction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.evidence import LedgerLine, Status
from likely.evidence.render import first, strongest, value_words
from likely.format import words
from likely.table.build import to_table

Floats = NDArray[np.float64]

SHOWN = 10  # rows that are printed


@dataclass(frozen=True, eq=False)
class OutcomeIntervals:
    """Where the outcome of each row lies; prints itself.

    >>> OutcomeIntervals(0.9, np.array([1.0]), np.array([0.5]), np.array([1.5]))
    outcomes of 1 row, with 90 % intervals
    <BLANKLINE>
    row  prediction  lower  upper
      0           1    0.5    1.5
    """

    level: float  # the probability that an interval covers
    prediction: Floats  # (n,)
    lower: Floats  # (n,)
    upper: Floats  # (n,)
    library: str = "numpy"

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.prediction)

    def to_frame(self) -> Any:
        """One line a row, in the library of the table that was asked about.

        >>> OutcomeIntervals(0.9, np.ones(1), np.zeros(1), np.ones(1)).to_frame()["lower"]
        array([0.])
        """
        columns = {"row": np.arange(len(self)), "prediction": self.prediction}
        return to_table({**columns, "lower": self.lower, "upper": self.upper}, self.library)

    def __str__(self) -> str:
        lines = [["row", "prediction", "lower", "upper"]]
        parts = (self.prediction, self.lower, self.upper)
        lines += [
            [str(i), *(words.figures(float(part[i])) for part in parts)] for i in range(min(SHOWN, len(self)))
        ]
        title = f"outcomes of {words.many(len(self), 'row')}, with {100 * self.level:g} % intervals"
        more = len(self) - SHOWN
        rest = [f"and {words.many(more, 'other row')}: to_frame() has all"] if more > 0 else []
        return "\n".join([title, "", words.table(lines, ">>>>"), *rest])

    __repr__ = __str__


@dataclass(frozen=True, eq=False)
class Contributions:
    """prediction = baseline + what each column adds, row by row; `text(i)` shows one row.

    >>> status = np.array([[Status.KNOWN, Status.MISSING]])
    >>> parts = Contributions(("a", "b"), 2.0, np.array([[1.0, -0.5]]), lambda i, j: i + j, status)
    >>> print(parts.text(0))
                  value  adds
    baseline                2
    a                 0     1
    b           missing  -0.5
    prediction            2.5
    """

    names: tuple[str, ...]  # (d,)
    base: float  # the prediction with numbers at their means and 0 everywhere else
    terms: Floats  # (n, d)
    value: Callable[[int, int], object]  # of column j in row i, for showing
    status: NDArray[np.integer[Any]]  # (n, d), of Status
    library: str = "numpy"

    @property
    def total(self) -> Floats:
        """The predictions, (n,)."""
        return np.asarray(self.base + self.terms.sum(axis=1))

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.terms)

    def to_frame(self) -> Any:
        """One line a row: what each column adds, and the prediction.

        >>> Contributions(("a",), 2.0, np.ones((1, 1)), lambda i, j: 0, np.zeros((1, 1), int)).to_frame()["a"]
        array([1.])
        """
        columns: dict[str, Any] = {"baseline": np.full(len(self), self.base)}
        for j, name in enumerate(self.names):
            own = name if name not in ("baseline", "prediction") else f"{name} (feature)"
            columns[own] = self.terms[:, j]
        return to_table({**columns, "prediction": self.total}, self.library)

    def to_dict(self, row: int) -> dict[str, Any]:
        """One row in plain Python, ready for JSON.

        >>> parts = Contributions(("a",), 2.0, np.ones((1, 1)), lambda i, j: 7, np.array([[Status.UNSEEN]]))
        >>> parts.to_dict(0)["columns"]
        [{'name': 'a', 'value': 7, 'adds': 1.0, 'note': 'never seen'}]
        """
        return {
            "baseline": self.base,
            "columns": [
                {
                    "name": line.name,
                    "value": words.json_ready(line.value),
                    "adds": line.evidence,
                    "note": line.note,
                }
                for line in self._lines(row)
            ],
            "prediction": float(self.total[row]),
        }

    def text(self, row: int, top: int | None = None) -> str:
        """One row's prediction as a sum, largest parts first; with `top`, the smaller share a line."""
        parts = self._lines(row)
        order = strongest([line.evidence for line in parts])
        kept = first(top, order)
        lines = [["", "value", "adds"], ["baseline", "", words.figures(self.base)]]
        lines += [
            [words.shown(line.name), value_words(line), words.figures(line.evidence)]
            for line in (parts[j] for j in kept)
        ]
        if len(kept) < len(order):
            rest = sum(parts[j].evidence for j in order[len(kept) :])
            lines.append([words.many(len(order) - len(kept), "other column"), "", words.figures(rest)])
        lines.append(["prediction", "", words.figures(float(self.total[row]))])
        return words.table(lines, "<>>")

    def _lines(self, row: int) -> list[LedgerLine]:
        """What each column adds in one row."""
        return [
            LedgerLine(name, words.plain(self.value(row, j)), float(adds), Status(status).note)
            for j, (name, adds, status) in enumerate(
                zip(self.names, self.terms[row], self.status[row], strict=True)
            )
        ]

    def __repr__(self) -> str:
        return f"{len(self)} predictions as sums over {len(self.names)} columns: text(i) shows row i"
