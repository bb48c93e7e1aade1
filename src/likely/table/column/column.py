"""What is learnt about one column, once: its kind, its levels, its unit, which numbers it may hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.table.column.kinds import (
    UNITS,
    WANTED,
    Kind,
    Type,
    are_numbers,
    are_truths,
    in_order,
    kind_of,
    levels_fit,
    levels_of,
    listed_levels,
    misfits,
    numbers_fit,
    says_truth,
    truth_of,
    truths,
    zero_or_one,
)
from likely.table.column.levels import UNSEEN, Coded, number_codes, value_codes
from likely.table.column.raw import Raw
from likely.table.column.words import Bags, Words

Floats = NDArray[np.float64]

DECIMALS = 9  # numbers with more are taken for continuous
FEW, MANY = 100, 2000  # numbers that are looked at first, if there are many
ENOUGH = 30  # numbers, for their ends and decimals to be no chance


@dataclass(frozen=True, slots=True)
class Span:
    """The numbers that a column may hold, as far as those that were seen tell.

    >>> span = Span.of(np.array([0.5, np.nan, 2.25] * 15))
    >>> span, span.nearest(np.array([-3.0, 1.004, np.nan]))
    (Span(low=0.5, high=2.25, decimals=2), array([0.5, 1. , nan]))
    """

    low: float
    high: float
    decimals: int | None  # None: they are continuous

    def __post_init__(self) -> None:
        if not self.low <= self.high or self.decimals not in (None, *range(DECIMALS + 1)):
            raise LikelyError(
                f"numbers from {self.low!r} to {self.high!r} with {self.decimals!r} decimals are no range: "
                f"give a lower end, an upper one, and up to {DECIMALS} decimals."
            )

    @classmethod
    def of(cls, numbers: NDArray[Any], whole: bool = False) -> Span | None:
        """Of numbers, NaN where missing; None if there are none.

        Where a few of them end may be chance, and that they have no decimals, unless their type has none:
        of few only the sign is kept.
        """
        known = np.asarray(numbers, np.float64)
        low, high = (float(known.min()), float(known.max())) if len(known) else (np.nan, np.nan)
        if not np.isfinite(low + high):  # most columns need no copy without the cells that are no numbers
            known = known[np.isfinite(known)]
            if not len(known):
                return None
            low, high = float(known.min()), float(known.max())
        if len(known) < ENOUGH:
            return cls(0.0 if low >= 0 else -np.inf, 0.0 if high <= 0 else np.inf, 0 if whole else None)
        return cls(low, high, 0 if whole else decimals_of(known))

    def both(self, other: Span | None) -> Span:
        """Of the numbers of two parts of a column."""
        if other is None:
            return self
        decimals = (
            None if self.decimals is None or other.decimals is None else max(self.decimals, other.decimals)
        )
        return Span(min(self.low, other.low), max(self.high, other.high), decimals)

    def nearest(self, numbers: Floats) -> Floats:
        """To each number the one nearest to it that the column may hold."""
        written = numbers if self.decimals is None else np.round(numbers, self.decimals)
        return np.clip(written, self.low, self.high)


def decimals_of(known: Floats) -> int | None:
    """As few decimals as all of the numbers can be written with.

    >>> decimals_of(np.array([2.0, 0.25])), decimals_of(np.array([1 / 3]))
    (2, None)
    """
    first = float(known[0])  # most often it has as many as any
    start = next((places for places in range(DECIMALS + 1) if round(first, places) == first), DECIMALS + 1)
    with np.errstate(over="ignore", invalid="ignore"):  # of numbers near the largest there are
        for some in (known[:FEW], known) if len(known) > MANY else (known,):
            for decimals in range(start, DECIMALS + 1):
                if (np.round(some, decimals) == some).all():
                    start = decimals
                    break
            else:
                return None
    return start


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the schema.

    >>> from likely.table.column.as_raw import as_raw
    >>> column = Column.learn(as_raw("size", ["small", "large", None]))
    >>> column.kind, column.levels
    (<Kind.CATEGORICAL: 'categorical'>, ('large', 'small'))
    """

    name: str
    kind: Kind
    type: Type
    levels: tuple[Any, ...] | None = None  # of the coded kinds; None stands for a missing cell
    missing_level: bool = False
    listed: bool = False  # the user or the type listed the levels: they keep that order
    zone: str | None = None  # the time zone of times
    words: Words | None = None  # how texts are read; their levels are the vocabulary
    span: Span | None = field(default=None, compare=False)  # which numbers it may hold

    @classmethod
    def learn(cls, raw: Raw, declared: Any = None, missing_level: bool = False) -> Column:
        """Decide the kind (from the type, unless declared) and collect the levels.

        `declared` is a kind's name, or a sequence of levels in order, which makes the column ordinal.
        """
        if isinstance(declared, Words):
            return cls._of_texts(raw, declared)
        if declared is not None and not isinstance(declared, str):
            listed = listed_levels(raw.name, declared)
            column = replace(cls.with_levels(raw, Kind.ORDINAL, listed, missing_level), listed=True)
            column._refuse_unlisted(raw)
            return column
        kind = Kind.of(declared, raw.name) if declared is not None else kind_of(raw)
        if kind.coded or (declared is None and says_truth(raw)):  # words come back as they were written
            column = cls.with_levels(raw, kind, levels_of(raw), missing_level)
            return replace(column, listed=raw.levels is not None)
        if kind is Kind.TEXT:
            return cls._of_texts(raw, Words())
        column = cls(raw.name, kind, raw.type, zone=raw.zone)
        if declared is None and kind is not Kind.QUANTITATIVE:
            return replace(column, span=Span(0.0, 1.0, 0)) if zero_or_one(raw) else column
        if declared is None and raw.found is None and raw.type not in UNITS:
            numbers = raw.values  # there is nothing to refuse
        else:
            numbers = column.numbers(raw)  # refuses what does not fit the declared kind, here and now
        if kind is not Kind.QUANTITATIVE:
            return column
        return replace(column, span=Span.of(numbers, raw.type is Type.INTEGER))

    @classmethod
    def _of_texts(cls, raw: Raw, words: Words) -> Column:
        if raw.type.numeric and raw.type is not Type.EMPTY:
            raise LikelyError(
                f"column {raw.name!r} is declared text, but holds {_said(raw)}: convert it to text."
            )
        vocabulary = tuple(sorted(raw.bag(words)[1]))
        return cls(raw.name, Kind.TEXT, raw.type, vocabulary, words=words)

    @classmethod
    def with_levels(cls, raw: Raw, kind: Kind, levels: Sequence[Any], missing_level: bool) -> Column:
        """A column of these levels, and one more for missing cells if that is asked for."""
        return cls(raw.name, kind, raw.type, _closed(levels, missing_level), missing_level, zone=raw.zone)

    @classmethod
    def of_groups(cls, name: str, levels: Sequence[Any]) -> Column:
        """The column that says which group a row belongs to."""
        texts = any(isinstance(level, str) for level in levels)
        return cls(name, Kind.CATEGORICAL, Type.STRING if texts else Type.INTEGER, tuple(levels), listed=True)

    @classmethod
    def of_numbers(cls, name: str, made_of: Type = Type.FLOAT, zone: str | None = None) -> Column:
        """A column of numbers on a scale, by its name and type."""
        return cls(name, Kind.QUANTITATIVE, made_of, zone=zone)

    @property
    def unit(self) -> str | None:
        """What one step of a time turned into a number means."""
        return UNITS[self.type][2] if self.type in UNITS else None

    @property
    def has_levels(self) -> bool:
        """Whether values are kept as codes of named levels."""
        return self.levels is not None and self.words is None

    @property
    def known(self) -> tuple[Any, ...]:
        """The levels that are values."""
        return (self.levels or ())[: -1 if self.missing_level else None]

    @property
    def declaration(self) -> Any:
        """What to declare so that more of the same column is learnt alike."""
        if self.words is not None:
            return self.words
        if self.kind is Kind.BOOLEAN and self.has_levels:
            return str(Kind.CATEGORICAL)  # of which some rows may show one word alone: see `widened`
        return list(self.known) if self.listed and self.type is not Type.CATEGORY else str(self.kind)

    @property
    def missing_code(self) -> int:
        """The code of a missing cell."""
        return len(self.known) if self.missing_level else -1

    def numbers(self, raw: Raw, start: int = 0) -> NDArray[Any]:
        """The column as numbers, NaN where missing; errors count the rows from `start`."""
        self.check(raw, start)
        values = truths(raw) if self.kind is Kind.BOOLEAN else raw.numbers()
        if self.kind is Kind.BOOLEAN and self.span is not None and raw.type is not Type.BOOLEAN:
            values = self.span.nearest(np.asarray(values, np.float64))  # nobody said that there is no 2
        wrong = misfits(values, self.kind)
        if wrong is not None and wrong.any():
            row = int(np.argmax(wrong))
            raise LikelyError(
                f"column {raw.name!r} should hold {WANTED[self.kind]}, but row {start + row} holds "
                f"{raw.item(row)!r}: correct the value, mark it as missing, or declare another kind."
            )
        return values

    def coded(self, raw: Raw) -> Coded:
        """The column as codes of the levels: -1 where missing, -2 where never seen."""
        self.check(raw)
        if raw.found is None and raw.type not in UNITS and are_numbers(self.known):
            coded = number_codes(raw.values[:, None], [self.known], [self.missing_code])
            if coded is not None:
                return coded
        codes, values = raw.distinct()
        if self.type is Type.MIXED:  # learnt as texts
            values = [_text_of(value, self.known) for value in values]
        elif self.kind is Kind.BOOLEAN:  # in whatever words it is said
            said = {truth_of(level): level for level in self.known}
            values = [said.get(truth_of(value), value) for value in values]
        return value_codes(codes, values, self.known, self.missing_code)

    def codes(self, raw: Raw) -> NDArray[np.intp]:
        """As `coded`, of all rows at once, (n,)."""
        codes = np.empty(len(raw.values), np.intp)
        self.coded(raw).rows(0, len(codes), codes)
        return codes

    def recoded(self, raw: Raw) -> NDArray[np.intp]:
        """As `coded`, of all rows of a column that came as codes of its values, at once, (n,)."""
        self.check(raw)
        assert raw.found is not None
        values = [str(value) for value in raw.found] if self.type is Type.MIXED else raw.found
        place = {level: i for i, level in enumerate(self.known)}
        table = np.array([*(place.get(value, UNSEEN) for value in values), self.missing_code], np.intp)
        return np.asarray(table[raw.values])

    def bags(self, raw: Raw) -> Bags:
        """The column as counts of the words of its vocabulary."""
        self.check(raw)
        assert self.words is not None
        counts, words = raw.bag(self.words)
        codes = raw.values if raw.found is not None else np.full(len(raw.values), -1)  # nothing there
        return Bags.of(codes, counts, words, self.known, self.words.bits)

    def possible(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """To each number the nearest that the column may hold: within its range, with its decimals."""
        return numbers if self.span is None else self.span.nearest(numbers)

    def fits(self, made_of: Type) -> bool:
        """Whether a column of this type may hold what was learnt."""
        if made_of is self.type or Type.EMPTY in (self.type, made_of):
            return True
        if self.kind is Kind.TEXT:
            return not made_of.numeric
        if self.levels is not None and self.kind is not Kind.BOOLEAN:
            return self.type is Type.MIXED or levels_fit(self.known, made_of)
        return numbers_fit(self.kind, self.type, made_of)

    def check(self, raw: Raw, start: int = 0) -> None:
        """Refuse a column whose values cannot be those that were learnt from; rows count from `start`."""
        one_zoned = self.type is raw.type and (self.zone is None) is not (raw.zone is None)
        if (self.fits(raw.type) and not one_zoned) or raw.is_empty():
            return
        odd = raw.odd_row() if self.type.numeric else None
        example = f"such as {raw.example()!r}" if odd is None else f"row {start + odd}: {raw.item(odd)!r}"
        raise LikelyError(
            f"column {self.name!r} held {_said(self)} when the model was fitted and now holds {_said(raw)} "
            f"({example}): convert it to what it was."
        )

    def widened(self, other: Column) -> Column:
        """The column with the levels of both."""
        self._refuse_other(other)
        if Type.EMPTY in (self.type, other.type):
            return other if self.type is Type.EMPTY else self
        if self.levels is None or (self.levels == other.levels and self.kind is other.kind):
            return self if self.span is None else replace(self, span=self.span.both(other.span))
        first, second = (other, self) if other.listed and not self.listed else (self, other)
        both = list(dict.fromkeys([*first.known, *second.known]))
        levels = _closed(both if first.listed else in_order(both), self.missing_level)
        return replace(self._said_by(other, both), levels=levels, listed=first.listed)

    def _said_by(self, other: Column, both: Sequence[Any]) -> Column:
        """The column with the kind that the levels of both have: more than yes and no are no truth."""
        if Kind.BOOLEAN not in (self.kind, other.kind):
            return self
        return replace(self, kind=Kind.BOOLEAN if are_truths(both) else Kind.CATEGORICAL)

    def _refuse_other(self, other: Column) -> None:
        """Refuse to be the same column as one of another kind, type or order."""
        named = f"column {self.name!r}"
        both_words = self.has_levels and other.has_levels and Kind.ORDINAL not in (self.kind, other.kind)
        if self.kind is not other.kind and not both_words:
            raise LikelyError(
                f"{named} is {self.kind} here and {other.kind} there: "
                f"declare it, for example with kinds={{{self.name!r}: {str(self.kind)!r}}}."
            )
        if self.words != other.words:
            raise LikelyError(
                f"{named} is read by {self.words} here and by {other.words} there: read it alike."
            )
        if self.missing_level is not other.missing_level:
            raise LikelyError(f"{named}: missing is a level of its own on one side only. Fit both alike.")
        if not self.fits(other.type):
            raise LikelyError(
                f"{named} holds {_said(self)} here and {_said(other)} there: convert one of them."
            )
        filled = other if self.type is Type.EMPTY else self
        if Type.EMPTY in (self.type, other.type) and filled.type.numeric and self.levels is not None:
            # Nothing tells levels from numbers in a column without values, so it was taken for levels.
            raise LikelyError(
                f"{named} held nothing but missing values in one part and holds {_said(filled)} in another: "
                f"declare it from the start, for example with kinds={{{self.name!r}: 'quantitative'}}."
            )
        if self.kind is Kind.ORDINAL and self.listed and other.listed:
            mine = [level for level in self.known if level in other.known]
            theirs = [level for level in other.known if level in self.known]
            if mine != theirs:
                raise LikelyError(f"{named} has its levels in the order {mine!r} here and {theirs!r} there.")

    def _refuse_unlisted(self, raw: Raw) -> None:
        codes = self.codes(raw)
        if (codes == UNSEEN).any():
            row = int(np.argmax(codes == UNSEEN))
            raise LikelyError(
                f"column {self.name!r}, row {row} holds {raw.item(row)!r}, which is not among the levels "
                f"{list(self.known)[:10]!r} listed in kinds: add it there, correct it, or mark it as missing."
            )


def _closed(levels: Sequence[Any], missing_level: bool) -> tuple[Any, ...]:
    return (*levels, None) if missing_level else tuple(levels)


def _text_of(value: Any, known: Sequence[Any]) -> str:
    """A value as its level is written: numbers and truth values may be spelt otherwise there.

    >>> [_text_of(value, ("1", "TRUE")) for value in (1, 1.0, True, "true")]
    ['1', '1', 'TRUE', 'true']
    """
    text = str(value)
    if text not in known:
        if isinstance(value, float) and value.is_integer():
            return str(int(value))
        if isinstance(value, bool | np.bool_):
            return next((level for level in known if str(level).casefold() == text.casefold()), text)
    return text


def _said(column: Column | Raw) -> str:
    return f"{column.type.value}{f' with a time zone ({column.zone})' if column.zone else ''}"
