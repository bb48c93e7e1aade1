"""Profiles -> plain JSON types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from likely.format.words import json_ready

if TYPE_CHECKING:
    from likely.report.profile.association import Association
    from likely.report.profile.column_profile import ColumnProfile
    from likely.report.profile.table_profile import Profile


def column_record(profile: ColumnProfile) -> dict[str, Any]:
    """One column."""
    return {
        "name": profile.name,
        "kind": str(profile.kind),
        "why": profile.why,
        "type": str(profile.column.type),
        "unit": profile.column.unit,
        "target": profile.is_target,
        "rows": profile.n,
        "missing": profile.missing,
        "missing_share": profile.missing / profile.n if profile.n else 0.0,
        "infinite": profile.infinite,
        "distinct": profile.distinct,
        "statistics": {name: json_ready(value) for name, value in profile.statistics.items()},
        "percentiles": [json_ready(value) for value in profile.percentiles] if profile.hundredths else [],
        "levels": [{"value": json_ready(level.value), "count": level.count} for level in profile.levels],
        "histogram": [
            {"low": json_ready(bar.low), "high": json_ready(bar.high), "count": bar.count}
            for bar in profile.histogram
        ],
        "association": None if profile.association is None else _association_record(profile.association),
        "warnings": [{"what": warning.what, "message": warning.message} for warning in profile.warnings],
    }


def _association_record(association: Association) -> dict[str, Any]:
    return {
        "bits": association.bits,
        "share": association.share,
        "mutual_information": float(association.mutual_information),
        "bias": json_ready(association.mutual_information.bias),
        "missing_share": association.missing_share,
        "rows": association.n,
    }


def table_record(profile: Profile) -> dict[str, Any]:
    """The whole table."""
    return {
        "rows": profile.n,
        "columns": [column_record(column) for column in profile],
        "missing_cells": profile.missing,
        "duplicate_rows": profile.duplicates,
        "target": None if profile.target is None else profile.target.name,
        "target_bits": None if profile.entropy is None else float(profile.entropy),
    }
