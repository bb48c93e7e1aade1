"""Columns -> columns."""

from likely.features.discretize import Discretize
from likely.features.evidence import Evidence
from likely.features.threshold import Threshold
from likely.features.whiten import Whiten

__all__ = ["Discretize", "Evidence", "Threshold", "Whiten"]
