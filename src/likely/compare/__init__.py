"""Experiments that compare models (cross-validation), or groups of rows.

>>> import likely
>>> from likely.compare import cross_validate
>>> people = likely.read("titanic")
>>> cross_validate(likely.NaiveBayes(), people, "survived").accuracy
0.778 ± 0.009 from 2201 rows
"""

from likely.compare.cross_validation import cross_validate
from likely.compare.groups import GroupComparison, groups
from likely.compare.learning_curve import LearningCurve, learning_curve
from likely.compare.outcomes import OutcomeValidation, cross_validate_outcomes
from likely.compare.scores import CrossValidation
from likely.compare.synthetic import Known, Yardstick, yardstick

__all__ = [
    "CrossValidation",
    "GroupComparison",
    "Known",
    "LearningCurve",
    "OutcomeValidation",
    "Yardstick",
    "cross_validate",
    "cross_validate_outcomes",
    "groups",
    "learning_curve",
    "yardstick",
]
