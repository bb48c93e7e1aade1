"""What people read about tables before they fit a model."""

from likely.report.profile.association import Association
from likely.report.profile.bars import Bar, Level
from likely.report.profile.column_profile import ColumnProfile
from likely.report.profile.profiling import profile
from likely.report.profile.table_profile import Profile
from likely.report.profile.warnings import Caution

__all__ = ["Association", "Bar", "Caution", "ColumnProfile", "Level", "Profile", "profile"]
