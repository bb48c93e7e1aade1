"""`profile`: a table in, what there is to know about each of its columns out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from likely.estimator.fitted import split_target
from likely.report.profile.association import PairCounts, TargetGroups, association_of
from likely.report.profile.column_counts import ColumnCounts
from likely.report.profile.inspect import Fingerprints, Inspected, inspect_column, inspect_columns
from likely.report.profile.summary import column_profile
from likely.report.profile.table_profile import Profile
from likely.score.entropy import Bits
from likely.score.of_columns import entropy_of
from likely.table.column.kinds import Kind
from likely.table.column.raw import Raw
from likely.table.frame import Frame
from likely.table.read.read import read
from likely.table.schema import declared_by_name


def profile(table: object, target: object = None, *, kinds: object = None) -> Profile:
    """Look at a table before a model does.

    For each column: its kind and why, how much is missing, the statistics that the kind allows, the most
    frequent values, a histogram, percentiles, and warnings with a remedy each. With a target also what
    each column tells about it, in bits.

    Parameters
    ----------
    table :
        A pandas, Polars or PyArrow frame, a NumPy or SciPy-sparse matrix, a dict of columns, or what
        `likely.read` takes: the name of a file or of a bundled table.
    target :
        The name of a column, or one value for each row.
    kinds : mapping, str or None
        The kind of each column, as models take them; None takes kinds from the types.

    Returns
    -------
    Profile
        Prints itself as a table; `profile["age"]` is the profile of one column.

    Notes
    -----
    What a column tells is measured with each row left out once: the target of a row is told by the
    relative frequencies among the *other* rows with the same level, or in the same of 2 to 32 bins of
    about as many rows (the cube root of n), smoothed by one imagined row. So an identifier tells nothing.
    A column is said to give the target away if it, or whether it is missing, tells 80% or more of the
    bits that the target takes (in 30 rows at least); or if the target is the same wherever the column is
    known, in so many rows that chance would do it less than once in 10^9 times. A target of numbers is one
    of classes if it has at most 20 different whole numbers; any other one is put into up to 8 bins.

    Examples
    --------
    >>> import likely
    >>> print(likely.profile("titanic", "survived"))
    2201 rows, 4 columns: 3 categorical, 1 boolean
    no cell missing; 2177 rows like an earlier one
    target survived: 0.91 bits to tell
    <BLANKLINE>
    column      kind         missing  distinct  values                                      tells
    class       categorical       0%         4  crew 40%, 3rd 32%, 1st 15%, 2nd 13%  █▇▃▃      6%
    sex         categorical       0%         2  male 79%, female 21%                 █▃       16%
    age         categorical       0%         2  adult 95%, child 5%                  █▁       <1%
    survived    boolean           0%         2  no 68%, yes 32%                      █▄    target
    """
    if isinstance(table, str | Path):
        table = read(table)
    frame = Frame.of(table)
    raw = None if target is None else _target(frame, target)
    names = frame.names if raw is None or raw.name in frame.position else (*frame.names, raw.name)
    declared = declared_by_name(names, kinds, "kinds")
    beside, entropy = _groups(raw, declared)
    rows, columns = Fingerprints(frame.n), []
    for inspected in _all(frame, raw, declared):
        name = inspected.column.name
        if name in frame.position:
            rows.add(inspected)
        counted = ColumnCounts.of(inspected)
        is_target = raw is not None and name == raw.name
        if beside is not None and not is_target and inspected.column.kind is not Kind.TEXT:
            pairs = PairCounts.of(inspected, counted.numbers, beside)
            counted = replace(counted, association=association_of(pairs, beside))
        columns.append(column_profile(counted, beside, is_target))
    return Profile(tuple(columns), frame.n, rows.repeated, entropy, frame.library)


def _target(frame: Frame, target: object) -> Raw:
    return split_target(frame, target, "profile")[1]


def _groups(raw: Raw | None, declared: Mapping[str, Any]) -> tuple[TargetGroups | None, Bits | None]:
    """The groups of rows that the target makes, and their entropy; none for free text, or without a value."""
    if raw is None:
        return None, None
    inspected = inspect_column(raw, declared.get(raw.name))
    beside = (
        None
        if inspected.column.kind is Kind.TEXT
        else TargetGroups.of(inspected, ColumnCounts.of(inspected).numbers)
    )
    if beside is None or not beside.totals.any():
        return None, None
    return beside, entropy_of(beside.codes[beside.codes >= 0])


def _all(frame: Frame, target: Raw | None, declared: Mapping[str, Any]) -> Iterator[Inspected]:
    """The columns of the table, and after them a target that is none of them."""
    yield from inspect_columns(frame, declared)
    if target is not None and target.name not in frame.position:
        yield inspect_column(target, declared.get(target.name))
