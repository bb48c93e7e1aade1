"""What people read about tables before they fit a model."""

from __future__ import annotations

import warnings

from likely.errors import LikelyWarning
from likely.report.profile.association import Association
from likely.report.profile.bars import Bar, Level
from likely.report.profile.column_profile import ColumnProfile
from likely.report.profile.profiling import profile
from likely.report.profile.table_profile import Profile
from likely.report.profile.warnings import ColumnWarning

__all__ = ["Association", "Bar", "ColumnProfile", "ColumnWarning", "Level", "Profile", "profile"]


def __getattr__(name: str) -> type[ColumnWarning]:
    if name == "Caution":  # the name of 0.1
        warnings.warn("likely.report.Caution is now ColumnWarning.", LikelyWarning, stacklevel=2)
        return ColumnWarning
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
