"""What people read about tables before they fit a model."""

from likely.report.association import Association
from likely.report.bars import Bar, Level
from likely.report.caution import Caution
from likely.report.column_profile import ColumnProfile
from likely.report.profiling import profile
from likely.report.table_profile import Profile

__all__ = ["Association", "Bar", "Caution", "ColumnProfile", "Level", "Profile", "profile"]
