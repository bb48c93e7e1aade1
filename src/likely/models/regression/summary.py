"""The coefficients of a regression as statisticians print them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.draw import Estimate, forest
from likely.format import words
from likely.format.html_table import html_table
from likely.models.groups.intervals import check_level
from likely.models.regression.design import Design
from likely.models.regression.logistic_record import LogisticRecord
from likely.table.build import to_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

SHOWN = 50  # lines that are printed
SHARED = (
    "The levels of a column are well known only against each other: most of a level's error is what they "
    "share.\nodds_ratios() compares each with the first, and has a test for each column."
)


@dataclass(frozen=True, eq=False)
class CoefficientTable:
    """Coefficients of the original columns, with their errors and intervals; prints itself.

    >>> one = np.array([1.0])
    >>> found = one, one / 2, 2 * one, one / 20, one - 1, one + 1  # coefficient, error, z, p and interval
    >>> CoefficientTable("a model", ("x",), None, *found, 0.95, "z")
    a model
    <BLANKLINE>
       coefficient  standard error     z  P>|z|  2.5 %  97.5 %
    x            1             0.5  2.00  0.050      0       2
    """

    title: str
    names: tuple[str, ...]
    classes: tuple[Any, ...] | None  # of each line, where there are more than two classes
    coefficient: Floats
    error: Floats | None  # None if there are none, as under an L1 prior
    statistic: Floats | None
    p: Floats | None  # how probable so large a statistic is by chance
    lower: Floats | None
    upper: Floats | None
    level: float
    letter: str  # "z" or "t"
    library: str = "numpy"
    note: str = ""  # what is to be known of the numbers, printed below them

    def to_frame(self) -> Any:
        """One line a coefficient, in the library of the table that was learnt from.

        >>> CoefficientTable("", ("x",), None, np.ones(1), *[None] * 5, 0.95, "z").to_frame()["coefficient"]
        array([1.])
        """
        columns: dict[str, Any] = {"name": np.array(self.names, object)}
        if self.classes is not None:
            columns["class"] = np.array([str(label) for label in self.classes], object)
        columns["coefficient"] = self.coefficient
        if self.error is not None:
            columns |= {"standard error": self.error, self.letter: self.statistic, "p": self.p}
            columns |= {"lower": self.lower, "upper": self.upper}
        return to_table(columns, self.library)

    def to_dict(self) -> dict[str, Any]:
        """Everything, in a form that JSON can hold."""
        columns = {"coefficient": self.coefficient, "standard error": self.error, self.letter: self.statistic}
        columns |= {"p": self.p, "lower": self.lower, "upper": self.upper}
        known = {name: column for name, column in columns.items() if column is not None}
        lines = []
        for i, name in enumerate(self.names):
            of = {} if self.classes is None else {"class": words.json_ready(self.classes[i])}
            numbers = {key: words.json_ready(float(column[i])) for key, column in known.items()}
            lines.append({"name": name, **of, **numbers})
        return {"title": self.title, "level": self.level, "coefficients": lines}

    def _lines(self) -> list[list[str]]:
        """The heads, then a line for each coefficient that is printed."""
        ends = [f"{100 * share:g} %" for share in ((1 - self.level) / 2, (1 + self.level) / 2)]
        head = ["", *(["class"] if self.classes is not None else []), "coefficient"]
        if self.error is not None:
            head += ["standard error", self.letter, f"P>|{self.letter}|", *ends]
        lines = [head]
        for i, name in enumerate(self.names[:SHOWN]):
            line = [words.shown(name), *([words.shown(self.classes[i])] if self.classes is not None else [])]
            line.append(words.figures(float(self.coefficient[i])))
            if self.error is not None and self.statistic is not None and self.p is not None:
                line += [words.figures(float(self.error[i])), f"{self.statistic[i]:.2f}", f"{self.p[i]:.3f}"]
            if self.lower is not None and self.upper is not None:
                line += [words.figures(float(end[i])) for end in (self.lower, self.upper)]
            lines.append(line)
        return lines

    def _foot(self) -> list[str]:
        more = len(self.names) - SHOWN
        rest = [f"and {words.many(more, 'other coefficient')}: to_frame() has all"] if more > 0 else []
        return [*rest, *filter(None, [self.note])]

    def __str__(self) -> str:
        lines = self._lines()
        return "\n".join([self.title, "", words.table(lines, _align(lines)), *self._foot()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head, *lines = self._lines()
        return html_table(self.title, head, lines, self._foot(), _align([head]))

    def plot(self, ax: Axes | None = None) -> Axes:
        """A forest plot: each coefficient but the intercept, with its interval where it has one.

        >>> two, one = ("intercept", "x"), np.ones(2)
        >>> ax = CoefficientTable("", two, None, one, one, one, one, 0 * one, 2 * one, 0.95, "z").plot()
        >>> [label.get_text() for label in ax.get_yticklabels()]
        ['x']
        """
        slopes = [i for i, name in enumerate(self.names) if name != "intercept"]
        ends = self.coefficient * np.nan
        lower, upper = (ends if end is None else end for end in (self.lower, self.upper))
        rows = [
            Estimate(self._label(i), float(self.coefficient[i]), float(lower[i]), float(upper[i]))
            for i in slopes[:SHOWN]
        ]
        interval = "" if self.lower is None else f" and its {100 * self.level:g} % interval"
        more = len(slopes) - SHOWN
        rest = [f"and {words.many(more, 'other coefficient')}"] if more > 0 else []
        xlabel = ". ".join([f"coefficient{interval}", *rest])
        return forest(rows, title=self.title, xlabel=xlabel, zero=0.0, ax=ax)

    def _label(self, i: int) -> str:
        name = words.shown(self.names[i])
        return name if self.classes is None else f"{words.shown(self.classes[i])}: {name}"


def _align(lines: list[list[str]]) -> str:
    return "<" + (">" * (len(lines[0]) - 1))


def coefficient_table(
    title: str,
    names: Sequence[str],
    classes: tuple[Any, ...] | None,
    coefficient: Floats,
    error: Floats | None,
    level: float,
    df: float | None,
    design: Design,
) -> CoefficientTable:
    """With z, or with t of so many degrees of freedom."""
    from scipy.special import ndtr, ndtri, stdtr, stdtrit

    check_level(level)
    letter, library = "z" if df is None else "t", design.schema.library
    if error is None:
        return CoefficientTable(
            title, tuple(names), classes, coefficient, None, None, None, None, None, level, letter, library
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic: Floats = np.where(np.isinf(error) | (coefficient == 0), 0.0, coefficient / error)
    tail = np.asarray(ndtr(-np.abs(statistic)) if df is None else stdtr(df, -np.abs(statistic)), np.float64)
    reach = ndtri((1 + level) / 2) if df is None else stdtrit(df, (1 + level) / 2)
    lower, upper = coefficient - reach * error, coefficient + reach * error
    return CoefficientTable(
        title,
        tuple(names),
        classes,
        coefficient,
        error,
        statistic,
        2 * tail,
        lower,
        upper,
        level,
        letter,
        library,
        "" if design.reference or not design.coded else SHARED,
    )


def class_summary(record: LogisticRecord, what: str, more: str, level: float) -> CoefficientTable:
    """Of every class; of two, of the second against the first. The title is `what` it is, and `more`."""
    parts, q = record.theta.shape
    labels: tuple[Any, ...] | None = None
    if not record.reference:
        labels = tuple(label for label in record.classes for _ in range(q))
    error = None if record.covariance is None else record.standard_errors.ravel()
    against = f" ({record.vector_classes[0]} against {record.reference[0]})" if record.reference else ""
    title = f"{what} of {record.target.name}{against}, {record.n:g} rows{more}"
    names = ("intercept", *record.design.names) * parts
    return coefficient_table(title, names, labels, record.original.ravel(), error, level, None, record.design)
