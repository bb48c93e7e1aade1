"""Which columns name or number their rows: a profile warns of them, and `learn` leaves them out."""

from __future__ import annotations

from collections.abc import Iterable

from likely.report.profile.column_counts import ColumnCounts
from likely.report.profile.inspect import inspect_column
from likely.report.profile.warnings_values import about_values
from likely.table.column.kinds import Type
from likely.table.frame import Frame

IDENTIFIER = "identifier"


def identifiers(frame: Frame, names: Iterable[str]) -> dict[str, str]:
    """Those of some columns that are identifiers, and how one sees it.

    >>> numbered = {"id": [f"no. {i}" for i in range(30)], "size": ["small", "large"] * 15}
    >>> identifiers(Frame.of(numbered), numbered)
    {'id': '30 different values in 30 rows'}
    """
    reasons = {}
    for name in names:
        raw = frame.raw(name)
        if raw.type is Type.FLOAT and (raw.numbers() % 1 != 0).any():
            continue  # measured
        for warning in about_values(ColumnCounts.of(inspect_column(raw))):
            if warning.what == IDENTIFIER:
                reasons[name] = warning.message.partition(". ")[0]
    return reasons
