"""The profile of a table as the page shows it: without what few rows hold, and without its ends."""

from __future__ import annotations

import re
from typing import Any

from likely.format.words import many
from likely.page.columns import text_of
from likely.page.rare import Rarity
from likely.report.profile.column_profile import ColumnProfile
from likely.report.profile.table_profile import Profile
from likely.report.profile.warnings import share
from likely.table.column.kinds import Kind

MOST_VALUES = 4  # of a column that are named
NAMED_ELSEWHERE = "Which values these are is not said here: a profile of the table itself names them."


def table_panel(profile: Profile, rarity: Rarity) -> dict[str, Any]:
    """What the template needs."""
    lead = f"{profile.n:,} rows, {many(len(profile), 'column')}"
    cells = (
        f"{share(profile.missing, profile.n * len(profile))} of the cells" if profile.missing else "no cell"
    )
    lead += f"; {cells} missing."
    return {
        "lead": lead,
        "tells": profile.target is not None,
        "columns": [_column(column, rarity) for column in profile],
        "warnings": [
            warning_record(column, warning, rarity) for column in profile for warning in column.warnings
        ],
    }


def _column(column: ColumnProfile, rarity: Rarity) -> dict[str, str]:
    tells = "target" if column.is_target else ""
    if column.association is not None:
        tells = share(column.association.share, 1.0)
    return {
        "name": text_of(column.name),
        "kind": str(column.kind),
        "missing": share(column.missing, column.n),
        "holds": _holds(column, rarity),
        "tells": tells,
    }


def _holds(column: ColumnProfile, rarity: Rarity) -> str:
    """The most frequent values with their shares; of numbers the middle half."""
    if column.kind in (Kind.QUANTITATIVE, Kind.COUNT):
        quartiles = [column.quantile(q) for q in (0.25, 0.5, 0.75)] if column.known else []
        if not quartiles or column.known < max(4 * rarity.least, 1):
            return "too few rows to show" if column.known else "no values"
        low, middle, high = (_figure(v) if isinstance(v, float) else _whole_seconds(v) for v in quartiles)
        if low == high:
            return f"half or more are {middle}"
        return f"half between {low} and {high}, median {middle}"
    if column.kind is Kind.TEXT:
        return "texts"
    common = [level for level in column.levels if level.count >= max(rarity.least, 1)]
    said = [f"{text_of(level.value)} {share(level.count, column.known)}" for level in common[:MOST_VALUES]]
    rare = column.distinct - len(said)
    if rare > 0 and said:
        said.append(f"{rare:,} more")
    return ", ".join(said) or (many(rare, "rare value") if rare else "no values")


def _whole_seconds(time: object) -> str:
    """A date, time or duration as text, without parts of a second.

    >>> from datetime import timedelta
    >>> _whole_seconds(timedelta(hours=1, milliseconds=250))
    '1:00:00'
    """
    return text_of(time).partition(".")[0]


def _figure(value: float) -> str:
    """Four figures, written out as far as people read them at a glance.

    >>> _figure(118038.5), _figure(0.01234567), _figure(1.5e20)
    ('118,000', '0.01235', '1.5e+20')
    """
    short = f"{value:.4g}"
    return f"{float(short):,.0f}" if 1e4 <= abs(value) < 1e12 else short


def warning_record(column: ColumnProfile, warning: Any, rarity: Rarity) -> dict[str, str]:
    """A warning; its message may name values, which stay out where they could be rare."""
    message = warning.message
    if rarity.least:
        message = _without_values(message) or NAMED_ELSEWHERE
    return {"column": text_of(column.name), "what": warning.what, "message": message}


def _without_values(message: str) -> str:
    """The remedy: what follows the last colon, for what stands before may quote values, as lists may.

    >>> _without_values("Row 3 holds 'x': correct it.")
    'Correct it.'
    >>> _without_values("It holds 99999: mark it, with read(..., missing=[99999]).")
    'Mark it, with read(..., missing=[...]).'
    """
    _, mark, remedy = message.rpartition(": ")
    kept = remedy if mark else "" if "'" in message else message
    kept = re.sub(r"\[[^\]]*\]", "[...]", kept)
    if "'" in kept or any(letter.isdigit() for letter in kept):
        return ""
    return kept[:1].upper() + kept[1:]
