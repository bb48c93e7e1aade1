"""Validation of schemas and targets that come from files: could a fit have produced them?"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, time, timedelta
from operator import lt

from likely.errors import LikelyError
from likely.table.column.column import Column
from likely.table.column.kinds import UNITS, Kind, Type, are_truths, levels_fit
from likely.table.schema import Alike, Schema

LARGEST = 10**300  # of whole numbers that are levels
LONGEST_RUN = 100  # words: no text is read in longer runs


def check_column(column: Column) -> None:
    """Refuse a column whose kind, type, levels and way of reading do not go together."""
    named = f"column {column.name!r}"
    demand((column.words is not None) is (column.kind is Kind.TEXT), f"{named} is read as what it is not")
    demand(column.zone is None or column.type in UNITS, f"{named} holds {column.type} and has a time zone")
    if column.levels is None:
        numeric = column.type.numeric or column.kind is Kind.BOOLEAN  # which words may be, too
        demand(numeric and not column.missing_level, f"{named} holds {column.type} and is {column.kind}")
        demand(not (column.kind.coded or column.words), f"{named} has no levels")
        return
    if column.words is not None:
        demand(set(map(type, column.levels)) <= {str}, f"{named} has words that are no text")
        in_order = all(map(lt, column.levels, column.levels[1:]))
        demand(in_order, f"{named} has words that are not in the order of the alphabet")
        demand(not column.missing_level, f"{named} is text, which has no level for missing cells")
        demand(column.words.ngrams <= LONGEST_RUN, f"{named} is read in runs of {column.words.ngrams} words")
    else:
        truth = column.kind is Kind.BOOLEAN and are_truths(column.known)
        demand(column.kind.coded or truth, f"{named} is {column.kind} and has levels")
        has_one = None in column.levels[-1:]
        demand(column.missing_level is has_one, f"{named} lacks the level for missing cells, or has too many")
        demand(_are_levels(column), f"{named} holds {column.type}, and has other levels")
        demand(len(set(column.levels)) == len(column.levels), f"{named} has a level twice")


def check_schema(schema: Schema) -> None:
    """Refuse a schema without columns, with two columns of one name, or with an inconsistent column."""
    demand(len(schema.columns) > 0, "it has no columns")
    demand(len(set(schema.names)) == len(schema.columns), "two columns have the same name")
    seen = set()
    for column in different(schema.columns):
        # Of the columns of a wide table that are alike one is enough; a file's share their levels.
        alike = (column.kind, column.type, id(column.levels), column.missing_level, column.zone, column.words)
        if alike not in seen:
            check_column(column)
            seen.add(alike)


def check_target(target: Column) -> None:
    """Refuse a target that has no classes."""
    check_column(target)
    demand(target.levels is not None and target.words is None, "its target has no classes")
    demand(bool(target.levels) and None not in (target.levels or ()), "its target has no classes")


def different(columns: Sequence[Column], places: Sequence[int] | None = None) -> Sequence[Column]:
    """The columns at these positions, or all; only the first if they differ in nothing but their names."""
    if isinstance(columns, Alike):
        return [columns.pattern]
    return columns if places is None else [columns[j] for j in places]


def _are_levels(column: Column) -> bool:
    known = column.known
    if column.type in UNITS:
        return all(isinstance(level, date | time | timedelta) for level in known)
    if column.type is Type.MIXED:
        return all(type(level) is str for level in known)
    return all(map(_is_level, known)) and (levels_fit(known, column.type) or not known)


def _is_level(level: object) -> bool:
    if type(level) is int:
        return -LARGEST < level < LARGEST
    if type(level) is float:
        return level == level
    return type(level) in (str, bool) or isinstance(level, date | time | timedelta)


def demand(holds: bool, otherwise: str) -> None:
    """Refuse the record with this message unless the condition holds."""
    if not holds:
        raise LikelyError(otherwise)
