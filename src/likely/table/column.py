"""What is learnt about one column, once: its kind, its levels, its unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import LikelyError
from likely.table.kinds import Kind
from likely.table.levels import Coded, integer_levels, number_places, value_places
from likely.table.raw import UNITS, Raw, Type

LONG_TEXT = 50  # characters: distinct values longer than this on average are read as free text


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the schema.

    >>> Column.learn(Raw.of("size", ["small", "large", None]))
    Column(name='size', kind=<Kind.CATEGORICAL: 'categorical'>, type=<Type.STRING: 'text'>, \
levels=('large', 'small'), missing_level=False)
    """

    name: str
    kind: Kind
    type: Type
    levels: tuple[Any, ...] | None = None  # of the coded kinds; None stands for a missing cell
    missing_level: bool = False

    @classmethod
    def learn(cls, raw: Raw, declared: Any = None, missing_level: bool = False) -> Column:
        """Decide the kind (from the type, unless declared) and collect the levels.

        `declared` is a kind's name, or a sequence of levels in order, which makes the column ordinal.
        """
        if declared is not None and not isinstance(declared, str):
            return _with_levels(raw, Kind.ORDINAL, list(declared), missing_level)
        kind = Kind.of(declared, raw.name) if declared is not None else _kind_of(raw)
        if kind.coded:
            return _with_levels(raw, kind, _levels(raw), missing_level)
        column = cls(raw.name, kind, raw.type)
        if declared is not None and kind is not Kind.TEXT:
            column.numbers(raw)  # refuses what does not fit the declared kind, here and now
        return column

    @property
    def unit(self) -> str | None:
        """What one step of a time turned into a number means."""
        return UNITS[self.type][2] if self.type in UNITS else None

    def numbers(self, raw: Raw) -> NDArray[Any]:
        """The column as numbers, NaN where missing."""
        self.check(raw)
        values = _truths(raw) if self.kind is Kind.BOOLEAN else raw.numbers()
        if self.kind is Kind.BOOLEAN and values.dtype != bool:
            _refuse(raw, values, (values != 0) & (values != 1) & ~np.isnan(values), "true or false (1 or 0)")
        if self.kind is Kind.COUNT and values.dtype.kind != "b":
            wrong = values < 0
            if values.dtype.kind == "f":
                wrong |= (np.floor(values) != values) & ~np.isnan(values)
            _refuse(raw, values, wrong, "counts (whole numbers from 0)")
        return values

    def coded(self, raw: Raw) -> Coded:
        """The column as codes of the levels: -1 where missing, -2 where never seen."""
        assert self.levels is not None
        self.check(raw)
        known = self.levels[:-1] if self.missing_level else self.levels
        missing = len(known) if self.missing_level else -1
        if raw.type.numeric and raw.type not in UNITS and raw.type is not Type.EMPTY:
            return number_places(raw.numbers(), known, missing)
        codes, found = raw.distinct()
        return value_places(codes, found, known, missing)

    def check(self, raw: Raw) -> None:
        """Refuse a column whose values cannot be those that were learnt from."""
        if Type.EMPTY in (self.type, raw.type) or raw.type is self.type:
            return
        if self.levels is not None:
            known = [level for level in self.levels if level is not None]
            texts = any(isinstance(level, str) for level in known)
            fits = not known or texts != raw.type.numeric or raw.type in (Type.CATEGORY, Type.MIXED)
        elif self.kind is Kind.TEXT:
            fits = not raw.type.numeric
        else:
            fits = (raw.type.numeric or self.kind is Kind.BOOLEAN) and self.type not in UNITS
            fits = fits and raw.type not in UNITS
        if not fits:
            example = next((v for i in range(len(raw.values)) if (v := raw.item(i)) is not None), None)
            raise LikelyError(
                f"column {self.name!r} held {self.type.value} when the model was fitted and now holds "
                f"{raw.type.value} (such as {example!r}): convert it to what it was."
            )

    def widened(self, other: Column) -> Column:
        """The column with the levels of both."""
        if self.kind is not other.kind or (self.levels is None) != (other.levels is None):
            raise LikelyError(
                f"column {self.name!r} is {self.kind} here and {other.kind} there: "
                f"declare it, for example with kinds={{{self.name!r}: {str(self.kind)!r}}}."
            )
        if Type.EMPTY in (self.type, other.type) and self.type is not other.type:
            filled = other if self.type is Type.EMPTY else self
            if filled.type.numeric:
                raise LikelyError(
                    f"column {self.name!r} held nothing but missing values in one part and holds "
                    f"{filled.type.value} in another: declare it from the start, for example with "
                    f"kinds={{{self.name!r}: 'quantitative'}}."
                )
            return filled
        if self.levels is None or self.levels == other.levels:
            return self
        if self.missing_level is not other.missing_level:
            raise LikelyError(f"column {self.name!r}: missing is a level of its own on one side only.")
        mine = [level for level in self.levels if level is not None]
        have = set(mine)
        theirs = other.levels or ()
        both = mine + [level for level in theirs if level is not None and level not in have]
        # Levels that a type declares keep its order; collected ones are sorted, whoever saw them first.
        if self.type is not Type.CATEGORY:
            both = _in_order(both)
        return replace(self, levels=_closed(both, self.missing_level))


def _with_levels(raw: Raw, kind: Kind, levels: list[Any], missing_level: bool) -> Column:
    return Column(raw.name, kind, raw.type, _closed(levels, missing_level), missing_level)


def _closed(levels: Sequence[Any], missing_level: bool) -> tuple[Any, ...]:
    return (*levels, None) if missing_level else tuple(levels)


def _kind_of(raw: Raw) -> Kind:
    match raw.type:
        case Type.BOOLEAN:
            return Kind.BOOLEAN
        case Type.CATEGORY:
            return Kind.ORDINAL if raw.ordered else Kind.CATEGORICAL
        case Type.STRING:
            found = raw.distinct()[1]
            long = sum(map(len, found)) > LONG_TEXT * max(len(found), 1)
            return Kind.TEXT if long else Kind.CATEGORICAL
        case Type.EMPTY:
            return Kind.CATEGORICAL  # without a level: whatever comes adds no evidence
        case Type.MIXED:
            raise LikelyError(_mixture(raw))
    return Kind.QUANTITATIVE


def _mixture(raw: Raw) -> str:
    first: dict[str, tuple[int, Any]] = {}
    for row in range(len(raw.values)):
        if (value := raw.item(row)) is not None:
            first.setdefault(type(value).__name__, (row, value))
    (i, a), (j, b), *_ = first.values()
    return (
        f"column {raw.name!r} holds values of several types ({a!r} in row {i}, {b!r} in row {j}): convert it "
        f"to one type, or declare kinds={{{raw.name!r}: 'categorical'}} to take each value as text."
    )


def _levels(raw: Raw) -> list[Any]:
    if raw.levels is not None:
        return list(raw.levels)
    if raw.type in (Type.INTEGER, Type.BOOLEAN) and raw.values.dtype.kind in "iu":
        levels = integer_levels(raw.values)
        if levels is not None:
            return levels
    return _in_order(raw.distinct()[1])


def _in_order(levels: Sequence[Any]) -> list[Any]:
    try:
        return sorted(levels)
    except TypeError:  # levels of several types have no order but that of their names
        return sorted(levels, key=lambda level: (type(level).__name__, str(level)))


def _truths(raw: Raw) -> NDArray[Any]:
    if raw.type.numeric:
        return raw.numbers()
    codes, found = raw.distinct()
    words = {"true": 1.0, "false": 0.0}
    meaning = np.array([*(words.get(str(v).lower(), 2.0) for v in found), np.nan])
    return np.asarray(meaning[codes])


def _refuse(raw: Raw, values: NDArray[Any], wrong: NDArray[np.bool_], wanted: str) -> None:
    if wrong.any():
        row = int(np.argmax(wrong))
        raise LikelyError(
            f"column {raw.name!r} should hold {wanted}, but row {row} holds {raw.item(row)!r}: "
            "correct the value, mark it as missing, or declare another kind."
        )
