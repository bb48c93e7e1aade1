"""A logistic regression as people read it: levels against one of them, odds ratios, a test of each column."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.format import words
from likely.format.html_table import html_table
from likely.format.markup import joined
from likely.format.screen import screen_width
from likely.models.groups.intervals import check_level
from likely.models.regression.design import Design
from likely.models.regression.logistic_record import LogisticRecord
from likely.table.build import to_table
from likely.table.column.kinds import Type

Floats = NDArray[np.float64]

SHOWN = 50  # lines that are printed
_RATIOS, _TESTS = "<>>>>>>", "<>>>"  # how columns are aligned
_MATTERS = "Does the column matter? (Wald test)"


@dataclass(frozen=True, eq=False, repr=False)
class OddsRatios:
    """By what a unit of a number, or a level instead of the first one, multiplies the odds; prints itself.

    With a prior the model has a coefficient for every level, which is known well only against the others. So
    each is compared with the first here, as without a prior: the difference and its error are what the data
    tell. The test of a column is Wald's: that all its differences are 0.
    """

    title: str
    prior: str
    names: tuple[str, ...]
    coefficient: Floats  # (lines,)
    error: Floats  # (lines,)
    level: float
    tests: tuple[tuple[str, float, int, float], ...]  # column, chi squared, degrees of freedom, p
    steps: tuple[
        tuple[float, str], ...
    ]  # of each line, the change that is printed, and in words if it is not 1
    library: str = "numpy"

    @property
    def odds_ratio(self) -> Floats:
        """exp(coefficient), (lines,)."""
        return _exp(self.coefficient)

    @property
    def interval(self) -> tuple[Floats, Floats]:
        """The ends of the intervals of the odds ratios."""
        from scipy.special import ndtri

        reach = ndtri((1 + self.level) / 2) * self.error
        return _exp(self.coefficient - reach), _exp(self.coefficient + reach)

    @property
    def p(self) -> Floats:
        """How probable so large a difference is by chance, (lines,)."""
        from scipy.special import ndtr

        return np.asarray(2 * ndtr(-np.abs(self._z)))

    @property
    def _z(self) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.nan_to_num(self.coefficient / self.error)

    def to_frame(self) -> Any:
        """One line a coefficient, in the library of the table that was learnt from."""
        lower, upper = self.interval
        columns = {"name": np.array(self.names, object), "coefficient": self.coefficient}
        columns |= {"standard error": self.error, "z": self._z, "p": self.p}
        columns |= {"odds ratio": self.odds_ratio, "lower": lower, "upper": upper}
        return to_table(columns, self.library)

    def to_dict(self) -> dict[str, Any]:
        """Everything, in a form that JSON can hold."""
        lower, upper = self.interval
        each = zip(
            self.names, self.coefficient, self.error, self.p, self.odds_ratio, lower, upper, strict=True
        )
        keys = ("coefficient", "standard error", "p", "odds ratio", "lower", "upper")
        return {
            "title": self.title,
            "prior": self.prior,
            "level": self.level,
            "coefficients": [
                {"name": name, **dict(zip(keys, map(words.json_ready, numbers), strict=True))}
                for name, *numbers in each
            ],
            "tests": [
                {"column": name, "chi squared": words.json_ready(chi2), "df": df, "p": words.json_ready(p)}
                for name, chi2, df, p in self.tests
            ],
        }

    def _lines(self) -> tuple[list[list[str]], list[str], list[list[str]]]:
        """The head and the lines of the ratios, what is left out, and the tests of whole columns.

        A number changes by a step that its column takes: the odds ratio of one more dollar of income is 1.
        """
        step = np.array([step for step, _ in self.steps])
        coefficient, error = self.coefficient * step, self.error * step
        per = replace(self, coefficient=coefficient, error=error)
        lower, upper = per.interval
        head = ["", "odds ratio", f"{100 * self.level:g} % interval", "coefficient", "error", "z", "P>|z|"]
        lines = [head]
        for i, name in enumerate(self.names[:SHOWN]):
            ends = f"{lower[i]:.3g} to {upper[i]:.3g}"
            ratio = [f"{per.odds_ratio[i]:.3g}", ends] if i else ["", ""]  # the intercept is no ratio
            said = words.shown(name, 48) + self.steps[i][1]
            line = [said, *ratio, f"{coefficient[i]:.4g}", f"{error[i]:.3g}"]
            lines.append([*line, f"{self._z[i]:.2f}", f"{self.p[i]:.3f}"])
        more = len(self.names) - SHOWN
        rest = [f"and {words.many(more, 'other coefficient')}: to_frame() has all"] if more > 0 else []
        tests = [["column", "chi squared", "df", "P"]]
        tests += [
            [words.shown(name), f"{chi2:.2f}", f"{df}", f"{p:.2g}"]
            for name, chi2, df, p in self.tests[:SHOWN]
        ]
        return lines, rest, tests

    @property
    def _prior(self) -> str:
        return f"prior of the coefficients: {self.prior}"

    def __str__(self) -> str:
        lines, rest, tests = self._lines()
        said = [self.title, self._prior, "", _fitting(lines), *rest, ""]
        return "\n".join([*said, _MATTERS, "", words.table(tests, _TESTS)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        (head, *body), rest, (names, *tests) = self._lines()
        ratios = html_table(self.title, head, body, [*rest, self._prior], _RATIOS)
        return joined(ratios, html_table(_MATTERS, names, tests, (), _TESTS))


def _fitting(lines: list[list[str]]) -> str:
    """The ratios as text; in a terminal with little room without the coefficients, which say the same."""
    text, room = words.table(lines, _RATIOS), screen_width()
    if room is None or max(map(len, text.split("\n"))) <= room:
        return text
    kept = [[name, ratio, ends, z, p] for name, ratio, ends, _, _, z, p in lines]
    others = words.table([["", *line[1:]] for line in kept], _RATIOS[:5]).split("\n")
    widest = max(room - max(map(len, others)), 20)
    return words.table([[words.shown(name, widest), *line] for name, *line in kept], _RATIOS[:5])


def odds_ratios(record: LogisticRecord, level: float) -> OddsRatios:
    """Of the second class against the first, levels against the first level of their column."""
    check_level(level)
    names, contrasts, columns, places = _contrasts(record)
    beta, covariance = record.original[0], record.original_covariance
    coefficient, spread = contrasts @ beta, contrasts @ covariance @ contrasts.T
    tests = []
    for name in dict.fromkeys(columns[1:]):
        mine = [i for i, own in enumerate(columns) if own == name]
        tests.append((name, *_wald(coefficient[mine], spread[np.ix_(mine, mine)])))
    against = f"{record.vector_classes[0]} against {record.reference[0]}"
    title = (
        f"logistic regression of {record.target.name} ({against}), {record.n:g} rows, "
        f"log-likelihood {record.log_likelihood:.2f}"
    )
    error = np.sqrt(np.maximum(np.diagonal(spread), 0.0))
    prior = "none (maximum likelihood)" if record.prior is None else _prior_words(record.prior)
    library = record.design.schema.library
    steps = ((1.0, ""), *(_step(record.design, place) for place in places))
    return OddsRatios(title, prior, names, coefficient, error, level, tuple(tests), steps, library)


def _step(design: Design, place: int) -> tuple[float, str]:
    """A change that is usual in a column of numbers: the power of ten below its standard deviation."""
    column = design.schema.columns[design.source[place]]
    sd, unit, one = float(design.unit[place]), "", 1.0  # sd is 1 of levels, and of what is 0 or 1
    if column.type is Type.DATETIME:
        unit, one = (" days", 86400.0) if sd >= 86400 else (" seconds", 1.0)
    elif column.type is Type.DATE:
        unit = " days"
    ones = 10.0 ** math.floor(math.log10(sd / one))
    ones = max(ones, 1.0) if column.type is Type.INTEGER or unit else ones
    return ones * one, "" if ones * one == 1 else f" (per {ones:.12g}{unit})"


def _contrasts(record: LogisticRecord) -> tuple[tuple[str, ...], Floats, list[str], list[int]]:
    """The lines by name, each as a sum of intercept and coefficients (lines, 1 + p), and their columns.

    Last the places in the design of all but the intercept.
    """
    design = record.design
    schema, width = design.schema, 1 + len(design.names)
    intercept = np.zeros(width)
    intercept[0] = 1.0
    names, rows, columns = ["intercept"], [intercept], [""]
    seen: dict[int, int] = {}  # of a column, the place of its first level
    places: list[int] = []
    for j, (source, name) in enumerate(zip(design.source.tolist(), design.names, strict=True), start=1):
        column = schema.columns[source]
        row = np.zeros(width)
        row[j] = 1.0
        if source in design.coded and not design.reference:
            if source not in seen:
                seen[source] = j
                intercept[j] = 1.0  # a row of the first levels is where the others start from
                continue
            row[seen[source]] = -1.0
        first = column.known[0] if source in design.coded and column.known else None
        against = "" if first is None else f" (against {first})"
        names.append(f"{name}{against}")
        rows.append(row)
        columns.append(str(column.name))
        places.append(j - 1)
    return tuple(names), np.stack(rows), columns, places


def _wald(difference: Floats, spread: Floats) -> tuple[float, int, float]:
    """The statistic, its degrees of freedom, and how probable so much is by chance."""
    from scipy.special import chdtrc

    df = int(np.linalg.matrix_rank(spread, hermitian=True))
    statistic = float(difference @ np.linalg.pinv(spread, hermitian=True) @ difference)
    return statistic, df, float(chdtrc(df, statistic)) if df else 1.0


def _prior_words(prior: Any) -> str:
    sd = getattr(prior, "sd", None)
    return str(prior) if sd is None or np.ndim(sd) else f"normal around 0, sd {float(sd):.3g}"


def _exp(x: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return np.exp(x)
