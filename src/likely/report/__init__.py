"""What people read about tables before they fit a model."""

from __future__ import annotations

from likely.errors import old_names
from likely.report.profile.association import Association
from likely.report.profile.bars import Bar, Level
from likely.report.profile.column_profile import ColumnProfile
from likely.report.profile.profiling import profile
from likely.report.profile.table_profile import Profile
from likely.report.profile.warnings import ColumnWarning

__all__ = ["Association", "Bar", "ColumnProfile", "ColumnWarning", "Level", "Profile", "profile"]

__getattr__ = old_names(__name__, {"Caution": "likely.report.ColumnWarning"})
