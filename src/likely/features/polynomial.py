"""Powers, products, ratios and differences of numbers as new columns, called by their formulas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, permutations
from typing import Self

import numpy as np

from likely.errors import LikelyError
from likely.estimator.record import Story
from likely.export.sql_text import sql_number
from likely.features.cell_table import CellTable
from likely.features.constructed import Constructed, LookedAt
from likely.features.counted import is_numbers, numbers_of
from likely.language.query import name as written
from likely.stats.groups import Floats
from likely.table.accepted import Kinds, TableLike, Target, Weights
from likely.table.column.column import Column
from likely.table.column.kinds import UNITS
from likely.table.frame import Frame

MOST_TERMS = 10_000  # new columns


@dataclass(frozen=True)
class PolynomialRecord(LookedAt):
    """The columns, and those of them that are combined."""

    def story(self, model: str, hidden: bool = False) -> Story:
        """What becomes of a row: a transformer draws none."""
        steps = ("Take the numbers of a row.", "Multiply, divide and subtract them as the formulas say.")
        return Story(model, steps, "Each result is a column.", "", "a row with combined numbers")


@dataclass(frozen=True)
class Term:
    """A formula: a product of powers, or a difference of two columns."""

    powers: tuple[tuple[int, int], ...]  # of columns by their place, with their exponents
    minus: int | None = None  # the column that is taken from the first one

    def text(self, names: Sequence[str]) -> str:
        """As people write it.

        >>> Term(((0, 2), (1, 1), (2, -1))).text(["a", "b", "my c"])
        'a^2 * b / `my c`'
        """
        if self.minus is not None:
            return f"{written(names[self.powers[0][0]])} - {written(names[self.minus])}"
        over = [_power(written(names[j]), e) for j, e in self.powers if e > 0]
        under = [_power(written(names[j]), -e) for j, e in self.powers if e < 0]
        return " / ".join([" * ".join(over), *under])

    def values(self, cells: Floats) -> Floats:
        """Of the numbers of the columns, (n, d); NaN where one is missing, or where 0 would divide."""
        with np.errstate(over="ignore", under="ignore"):
            if self.minus is not None:
                return np.asarray(cells[:, self.powers[0][0]] - cells[:, self.minus])
            value = np.ones(len(cells))
            for j, e in self.powers:
                factor = np.where(cells[:, j] == 0, np.nan, cells[:, j]) if e < 0 else cells[:, j]
                for _ in range(abs(e)):
                    value = value / factor if e < 0 else value * factor
            return value

    def sql(self, columns: Sequence[Column]) -> str:
        """As an expression of SQL, of doubles; NULL where 0 would divide."""

        def cell(j: int) -> str:
            return f"CAST({sql_number(columns[j])} AS DOUBLE)"

        if self.minus is not None:
            return f"{cell(self.powers[0][0])} - {cell(self.minus)}"
        over = [cell(j) for j, e in self.powers for _ in range(e)]
        under = [f"NULLIF({cell(j)}, 0)" for j, e in self.powers for _ in range(-e)]
        return " / ".join([" * ".join(over), *under])


class Polynomial(Constructed):
    """New columns of powers and products of numbers up to a degree, of their ratios and differences.

    They stand beside the old ones, called by their formulas: `height^2`, `height * width`,
    `weight / height`. Of d columns there are d (d + 1) / 2 of degree two: the feature map of the quadratic
    kernel, written out. Nothing is learnt. Where a number is missing, so is what is made of it, and so is a
    ratio whose divisor is 0. A result beyond the range of numbers is an error.

    Parameters
    ----------
    degree : int
        The highest degree of products; 1 for none.
    powers : bool
        Whether a column is multiplied with itself, too.
    ratios : bool
        Whether each column is also divided by each other.
    differences : bool
        Whether each column is also taken from each before it.
    columns : sequence of str, optional
        The columns to combine. Default: all numbers but times.
    kinds : mapping, optional
        Kinds of columns, where their types do not tell.

    Examples
    --------
    >>> import likely
    >>> boxes = {"height": [2.0, 3.0], "width": [5.0, None]}
    >>> likely.Polynomial().fit_transform(boxes)  # doctest: +NORMALIZE_WHITESPACE
    {'height': [2.0, 3.0], 'width': [5.0, None], 'height^2': array([4., 9.]),
     'height * width': array([10., nan]), 'width^2': array([25., nan])}
    """

    record_: PolynomialRecord

    def __init__(
        self,
        degree: int = 2,
        *,
        powers: bool = True,
        ratios: bool = False,
        differences: bool = False,
        columns: Sequence[str] | None = None,
        kinds: Kinds = None,
    ) -> None:
        self.degree = degree
        self.powers = powers
        self.ratios = ratios
        self.differences = differences
        self.columns = columns
        self.kinds = kinds

    @property
    def deductive(self) -> bool:
        """Whether nothing is chosen."""
        return True

    def fit(self, X: TableLike, y: Target | None = None, sample_weight: Weights = None) -> Self:
        """Look at the columns; nothing is learnt of their numbers."""
        whole = isinstance(self.degree, int | np.integer) and not isinstance(self.degree, bool)
        if not whole or self.degree < 1:
            raise LikelyError(f"degree={self.degree!r}: give a whole number from 1.")
        frame, target_name = self._features(X, y)
        schema = self._schema(frame)
        used = []
        for j, column in enumerate(schema.columns):
            named = self.columns is not None and column.name in self.columns
            fits = is_numbers(column) and (named or column.type not in UNITS)
            if named and not fits:
                raise LikelyError(
                    f"column {column.name!r} is {column.kind}, and Polynomial combines numbers: leave it out "
                    "of `columns`, or turn it into numbers, for example with Evidence."
                )
            if fits and (named or self.columns is None):
                used.append(j)
        count = sum(1 for _, _ in zip(self._terms(used), range(MOST_TERMS + 1), strict=False))
        if count > MOST_TERMS:
            raise LikelyError(
                f"{len(used)} columns to degree {self.degree} are more than {MOST_TERMS} combinations: "
                "name fewer in `columns`, or lower `degree`."
            )
        record = PolynomialRecord(schema, tuple(used), self._weight(sample_weight, frame.n), target_name)
        self._results(record, frame)  # refuses what leaves the range of numbers
        self._take(record)
        return self

    def _terms(self, used: Sequence[int]) -> Iterator[Term]:
        """The formulas, by degree; then ratios, then differences."""
        choose = combinations_with_replacement if self.powers else combinations
        for degree in range(2, self.degree + 1):
            for places in choose(used, degree):
                yield Term(tuple(Counter(places).items()))
        if self.ratios:
            yield from (Term(((a, 1), (b, -1))) for a, b in permutations(used, 2))
        if self.differences:
            yield from (Term(((a, 1),), b) for a, b in combinations(used, 2))

    def _known(self) -> PolynomialRecord:
        record: PolynomialRecord = super()._known()
        return record

    def _new_columns(self) -> Sequence[Column]:
        record = self._known()
        return [Column.of_numbers(term.text(record.schema.names)) for term in self._terms(record.used)]

    def _new_values(self, frame: Frame) -> Floats:
        return self._results(self._known(), frame)

    def _results(self, record: PolynomialRecord, frame: Frame) -> Floats:
        schema = record.schema
        cells = np.full((frame.n, len(schema.columns)), np.nan)
        for j in record.used:
            schema.numbers(frame, (j,)).refuse_extremes(0, frame.n)
            cells[:, j] = numbers_of(schema, frame, j)
        columns = []
        for term in self._terms(record.used):
            value = term.values(cells)
            if np.isinf(value).any():
                row = int(np.argmax(np.isinf(value)))
                raise LikelyError(
                    f"{term.text(schema.names)} is beyond the range of numbers in row {row}: scale the "
                    "columns first, for example with Normalize, or lower `degree`."
                )
            columns.append(value)
        return np.column_stack(columns) if columns else np.zeros((frame.n, 0))

    def _sql(self) -> list[str]:
        record = self._known()
        return [term.sql(record.schema.columns) for term in self._terms(record.used)]

    def table(self) -> CellTable:
        """The new columns, and what each is made of."""
        record = self._known()
        names, lines = record.schema.names, []
        for name, term in zip(self._new_names(), self._terms(record.used), strict=True):
            places = [*(j for j, _ in term.powers), *([] if term.minus is None else [term.minus])]
            product = term.minus is None and all(e > 0 for _, e in term.powers)
            degree = sum(e for _, e in term.powers) if product else None
            lines.append({"column": name, "made of": ", ".join(names[j] for j in places), "degree": degree})
        return CellTable(self._says(), tuple(lines))


def _power(name: str, exponent: int) -> str:
    return name if exponent == 1 else f"{name}^{exponent}"
