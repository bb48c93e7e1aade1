"""The scoring form: how a fitted model scores a row, in plain records that any language can work out.

The score of a group is a number of its own (the log of its base rate, or an intercept) plus what each term
adds; the probabilities of the groups are the powers of their scores, brought to the sum 1. That holds for
naive Bayes, Gaussian classifiers and mixtures, for logistic and additive models, and, without the last step,
for linear regression. Every generator (SQL, ONNX, PMML, JSON) writes out this form, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist.numeric.pieces import IMPOSSIBLE, Pieces
from likely.dist.quadratic_form import QuadraticForm
from likely.errors import LikelyError
from likely.export.recalibration import Recalibration
from likely.table.column.column import Column
from likely.table.column.kinds import Kind, Type

Floats = NDArray[np.float64]
Level = str | int | float | bool

UNLIKELIEST = IMPOSSIBLE / 1e100  # a row all of whose scores are below is impossible in every group


@dataclass(frozen=True, slots=True)
class Input:
    """A column that is read: levels, or a number.

    >>> Input("size", ("large", "small")), Input("age")
    (Input(name='size', levels=('large', 'small'), unit=None), Input(name='age', levels=None, unit=None))
    """

    name: str
    levels: tuple[Level, ...] | None = None  # None: a number
    unit: str | None = None  # what times are counted in, as "days since 1970-01-01"

    @classmethod
    def of(cls, column: Column, texts: bool = False) -> Input:
        """As a column of a schema is read; levels that are times are refused, and texts unless `texts`."""
        if column.words is not None and not texts:
            raise LikelyError(
                f"column {column.name!r} holds texts, whose words no other program counts alike: leave it "
                "out, or turn it into columns of counts first, to export the model."
            )
        if column.has_levels:
            return cls(column.name, tuple(_plain_level(level, column) for level in column.known))
        if column.kind is Kind.BOOLEAN and column.type is Type.BOOLEAN:
            return cls(column.name, (False, True))
        return cls(column.name, None, column.unit)


def _plain_level(level: object, column: Column) -> Level:
    value = level.item() if isinstance(level, np.generic) else level
    if not isinstance(value, str | int | float | bool):
        raise LikelyError(
            f"column {column.name!r} has the level {value!r}: only texts, numbers and truth values can be "
            "exported. Turn it into text first."
        )
    return value


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreTerm:
    """What some columns add to the score of every group.

    Where the evidence of a column counts less the more other columns are told (`ScoringForm.weighed`), a
    share of w / (w + s (1 - w)) of it counts, where s = (columns told - 1) / (columns - 1), at least 0; all
    of it if w and s are 0. A term that is `steady` counts w whatever is told.
    """

    columns: tuple[int, ...]  # places among the inputs
    weight: float = 1.0  # how much of it counts where all columns are told
    steady: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class LevelTerm(ScoreTerm):
    """A row of a table for each level of a column."""

    table: Floats  # (k, g)
    missing: Floats | None  # (g,); None: such rows have no score
    unseen: Floats | None  # (g,): a level that is not in the table


@dataclass(frozen=True, kw_only=True, eq=False)
class NumberTerm(ScoreTerm):
    """Functions of one number."""

    pieces: Pieces
    missing: Floats | None  # (g,); None: such rows have no score


@dataclass(frozen=True, kw_only=True, eq=False)
class JointTerm(ScoreTerm):
    """A density of several numbers together; rows whose gaps have no formula have no score."""

    forms: tuple[QuadraticForm, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class SharesTerm(ScoreTerm):
    """Counts that share out a total: sum of x log p, less the total times log of the p of known columns."""

    shares: Floats  # (d, g)


AnyTerm = LevelTerm | NumberTerm | JointTerm | SharesTerm


@dataclass(frozen=True, kw_only=True, eq=False)
class WordsTerm(ScoreTerm):
    """Words of a text: it adds the rows of the words that it has, or functions of their sums.

    It is for pages alone: no other program reads words alike, so that a form has none of these terms.
    """

    words: tuple[str, ...]
    table: Floats  # (w, s): what a word adds each time that it comes; with curves, to each sum
    start: Floats  # (s,): of a text that has none of the words
    missing: Floats  # (g,)
    once: bool  # a word that comes again adds nothing more
    curves: tuple[Pieces, ...] = ()  # of each sum, for all groups; none: the sums are what is added

    def only(self, places: NDArray[np.intp]) -> WordsTerm:
        """With some of the words: the others add nothing."""
        return replace(self, words=tuple(self.words[i] for i in places), table=self.table[places])


@dataclass(frozen=True, eq=False)
class ScoringForm:
    """How a model scores a row."""

    target: str
    classes: tuple[Level, ...]  # none: a number is predicted, which is the one score
    inputs: tuple[Input, ...]
    start: Floats  # (g,): what every score begins with
    terms: tuple[AnyTerm, ...]
    components: tuple[int, ...] | None = None  # how many groups each class has, in order; None: one
    weighed: bool = False  # whether weights depend on how many columns are told
    rates: Floats | None = None  # (c,): P(class) of rows that are impossible in every group
    then: tuple[Recalibration, ...] = ()  # what becomes of the probabilities, in order

    def __post_init__(self) -> None:
        for term in self.terms:
            for array in numbers_of(term):
                if not np.isfinite(array).all():
                    names = ", ".join(repr(self.inputs[j].name) for j in term.columns)
                    raise LikelyError(
                        f"what the model knows of column {names} is beyond the numbers that other programs "
                        "can hold: bring the column to another unit, and fit again."
                    )

    @property
    def n_groups(self) -> int:
        """How many scores a row has."""
        return len(self.start)

    def with_then(self, *more: Recalibration) -> ScoringForm:
        """The form with more to be done with the probabilities."""
        return replace(self, then=(*self.then, *more))


def numbers_of(term: AnyTerm) -> Iterator[Floats]:
    """All arrays of a term."""
    match term:
        case LevelTerm():
            arrays = [term.table, term.missing, term.unseen]
        case NumberTerm():
            pieces = term.pieces
            arrays = [pieces.edges, pieces.centre, pieces.powers, pieces.logs, term.missing]
        case JointTerm():
            parts = [(form.constant, form.slope, form.centre, form.whiten) for form in term.forms]
            arrays = [array for part in parts for array in part]
        case SharesTerm():
            arrays = [term.shares]
    yield from (array for array in arrays if array is not None)


def number_term(column: Column, place: int, pieces: Pieces, missing: Floats | None, **how: Any) -> AnyTerm:
    """What a column that is learnt as a number adds; truth values are two levels, or the two sides of 1/2."""
    if column.kind is not Kind.BOOLEAN:
        return NumberTerm(columns=(place,), pieces=pieces.merged(), missing=missing, **how)
    both = pieces(np.array([0.0, 1.0]))
    if column.type is Type.BOOLEAN:
        return LevelTerm(columns=(place,), table=both, missing=missing, unseen=missing, **how)
    return NumberTerm(columns=(place,), pieces=Pieces.steps([0.5], both), missing=missing, **how)


def against_first(term: AnyTerm) -> AnyTerm:
    """A term of one score as that of two groups, of which the first always has 0."""

    def both(array: Floats | None) -> Floats | None:
        return None if array is None else np.append(np.zeros_like(array), array, axis=-1)

    if isinstance(term, LevelTerm):
        table = np.append(np.zeros_like(term.table), term.table, axis=-1)
        return replace(term, table=table, missing=both(term.missing), unseen=both(term.unseen))
    assert isinstance(term, NumberTerm)
    return replace(term, pieces=_beside_nothing(term.pieces), missing=both(term.missing))


def words_against_first(term: WordsTerm) -> WordsTerm:
    """The same of words whose sums have curves."""
    curves = tuple(map(_beside_nothing, term.curves))
    return replace(term, curves=curves, missing=np.append(0.0, term.missing))


def _beside_nothing(pieces: Pieces) -> Pieces:
    return Pieces.beside([Pieces.steps([], [[0.0]]), pieces])
