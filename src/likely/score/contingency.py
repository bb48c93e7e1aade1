"""The contingency table of true and predicted classes, and the measures read off it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import LikelyError
from likely.score.estimate import Rate, known_level, rate
from likely.score.outcomes import codes_of, distinct, weights_as_given
from likely.stats.groups import Floats
from likely.table.build import to_table
from likely.table.read.into import library_for

DRAWS = 2000  # tables drawn for the interval of an average over classes


@dataclass(frozen=True, eq=False)
class Contingency:
    """How many rows of each class were called each class: true classes down, predicted ones across.

    Every measure is a float that knows its interval. `contingency` makes it.
    """

    classes: tuple[Any, ...]
    counts: Floats  # (g, g)
    level: float

    @property
    def n(self) -> float:
        """The weight of all rows."""
        return float(self.counts.sum())

    @property
    def accuracy(self) -> Rate:
        """The share of rows that are called by their class."""
        return rate(float(np.trace(self.counts)), self.n, self.level)

    def precision(self, label: object) -> Rate:
        """Of the rows that are called a class, the share that are of it; 0 if none are called so."""
        place = self._index(label)
        return rate(float(self.counts[place, place]), float(self.counts[:, place].sum()), self.level)

    def recall(self, label: object) -> Rate:
        """Of the rows of a class, the share that are called by it; 0 if there are none."""
        place = self._index(label)
        return rate(float(self.counts[place, place]), float(self.counts[place].sum()), self.level)

    def f_measure(self, label: object) -> Rate:
        """The F-measure: the harmonic mean of precision and recall, TP / (TP + (FP + FN) / 2).

        The share TP / (TP + FP + FN) rises with it, and lends it its interval.
        """
        place = self._index(label)
        hits = float(self.counts[place, place])
        any_of_both = float(self.counts[place].sum() + self.counts[:, place].sum()) - hits
        share = rate(hits, any_of_both, self.level)
        low, high = (2 * end / (1 + end) for end in share.interval)
        return Rate(2 * float(share) / (1 + float(share)), any_of_both, (low, high), self.level)

    @property
    def macro_precision(self) -> Rate:
        """The mean precision of the classes."""
        return self._mean(lambda cells: _ratio(_diagonal(cells), cells.sum(axis=-2)))

    @property
    def macro_recall(self) -> Rate:
        """The mean recall of the classes."""
        return self._mean(lambda cells: _ratio(_diagonal(cells), cells.sum(axis=-1)))

    @property
    def macro_f(self) -> Rate:
        """The mean F-measure of the classes."""
        return self._mean(lambda cells: _ratio(2 * _diagonal(cells), cells.sum(axis=-1) + cells.sum(axis=-2)))

    def to_frame(self) -> Any:
        """A row for each class, and one for the means: its measures and the ends of their intervals."""
        measures = {"precision": self.precision, "recall": self.recall, "f_measure": self.f_measure}
        means = self.macro_precision, self.macro_recall, self.macro_f
        columns: dict[str, Any] = {
            "class": np.array([*map(str, self.classes), "mean of classes"], object),
            "rows": np.append(self.counts.sum(axis=1), self.n),
        }
        for (name, measure), mean in zip(measures.items(), means, strict=True):
            rates = [*map(measure, self.classes), mean]
            columns[name] = np.array([float(one) for one in rates])
            for end, place in (("low", 0), ("high", 1)):
                columns[f"{name}_{end}"] = np.array([one.interval[place] for one in rates])
        return to_table(columns, library_for(None))

    def _index(self, label: object) -> int:
        if label not in self.classes:
            raise LikelyError(f"there is no class {label!r}: the classes are {list(self.classes)[:10]!r}.")
        return self.classes.index(label)

    @cached_property
    def _drawn(self) -> Floats:
        """Tables from the posterior, up to their scale, (draws, g, g), the same every time.

        The prior adds 1/g to each cell: one row to each true and each predicted class.
        """
        g = len(self.classes)
        return np.random.default_rng(0).gamma(self.counts + 1 / g, size=(DRAWS, g, g))

    def _mean(self, of_classes: Callable[[Floats], Floats]) -> Rate:
        """A mean over the classes; its interval comes from tables drawn from their posterior."""
        tail = (1 - self.level) / 2
        low, high = np.quantile(of_classes(self._drawn).mean(axis=-1), [tail, 1 - tail]).tolist()
        value = float(of_classes(self.counts).mean())
        return Rate(value, self.n, (min(low, value), max(high, value)), self.level)

    def __str__(self) -> str:
        names = [str(label) for label in self.classes]
        cells = [["true \\ called", *names, "all"]]
        for name, row in zip([*names, "all"], np.vstack([self.counts, self.counts.sum(axis=0)]), strict=True):
            cells.append([name, *(f"{count:g}" for count in row), f"{row.sum():g}"])
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = [
            "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in cells
        ]
        return "\n".join([*lines, f"accuracy {self.accuracy!r}"])

    __repr__ = __str__


def contingency(
    y: ArrayLike,
    predicted: ArrayLike,
    *,
    classes: ArrayLike | None = None,
    weight: ArrayLike | None = None,
    level: float = 0.95,
) -> Contingency:
    """Count how often each class was called each class.

    Parameters
    ----------
    y, predicted : (n,) labels
        The true class of each row, and the predicted one.
    classes : (g,) labels or None
        The classes in order. None: the distinct labels of both, sorted.
    weight : (n,) or None
        How much each row counts.
    level : float
        The probability that intervals cover.

    Examples
    --------
    >>> table = contingency(["ham", "ham", "spam", "spam"], ["ham", "spam", "spam", "spam"])
    >>> table
    true \\ called  ham  spam  all
              ham    1     1    2
             spam    0     2    2
              all    1     3    4
    accuracy 0.750 (0.284 to 0.972) of 4
    >>> round(table.precision("spam"), 3), float(table.recall("spam")), round(table.f_measure("spam"), 3)
    (0.667, 1.0, 0.8)
    """
    true, called = np.asarray(y), np.asarray(predicted)
    if true.ndim != 1 or true.shape != called.shape or not len(true):
        raise LikelyError(
            f"y has the shape {true.shape} and predicted {called.shape}: give two labels for each row."
        )
    known = distinct(np.concatenate([true, called]))[0] if classes is None else np.asarray(classes)
    g, cells = len(known), codes_of(true, known) * len(known) + codes_of(called, known)
    counts = np.bincount(cells, weights_as_given(weight, len(true)), g * g).astype(np.float64).reshape(g, g)
    return Contingency(tuple(known.tolist()), counts, known_level(level))


def _diagonal(cells: Floats) -> Floats:
    return np.diagonal(cells, axis1=-2, axis2=-1)


def _ratio(part: Floats, whole: Floats) -> Floats:
    """0 of nothing is 0."""
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
