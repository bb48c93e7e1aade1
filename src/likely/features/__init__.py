"""Columns -> columns."""

from likely.features.cross import Cross
from likely.features.decompose import Decompose
from likely.features.discretize import Discretize
from likely.features.evidence import Evidence
from likely.features.impute import Impute
from likely.features.levels import Binarize, GroupLevels, Order
from likely.features.linked import Linked
from likely.features.missing_level import MissingLevel
from likely.features.normalize import Normalize
from likely.features.polynomial import Polynomial
from likely.features.row_distances import Nearest, distances, nearest
from likely.features.select import Select
from likely.features.structured import Structured
from likely.features.subgroups import Subgroups
from likely.features.threshold import Threshold
from likely.features.whiten import Whiten

__all__ = [
    "Binarize",
    "Cross",
    "Decompose",
    "Discretize",
    "Evidence",
    "GroupLevels",
    "Impute",
    "Linked",
    "MissingLevel",
    "Nearest",
    "Normalize",
    "Order",
    "Polynomial",
    "Select",
    "Structured",
    "Subgroups",
    "Threshold",
    "Whiten",
    "distances",
    "nearest",
]
