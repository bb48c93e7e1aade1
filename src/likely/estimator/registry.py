"""What a file may hold: nothing is ever written, or made again from a file, that is not in these tables.

A new model joins with a line for each class that its record is made of, one for the estimator, and one for
what looks the record over. Modules are named, not imported: a model may live in any room of the house, and
only what a file holds is loaded.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from likely.dist import stored_class
from likely.errors import LikelyError

# Records, by the module in which they are.
_RECORDS = {
    "likely.table.schema": ("Schema",),
    "likely.table.column.column": ("Column",),
    "likely.table.column.uniform_columns": ("Alike",),
    "likely.table.column.default_names": ("Places",),
    "likely.table.column.words": ("Words",),
    "likely.models.groups.record": ("Record", "Settings"),
    "likely.models.parts.part": ("Slot",),
    "likely.models.groups.independent": ("Tally",),
    "likely.models.parts.families": ("Ranking",),
    "likely.models.mixture.components": ("Curve", "Tried"),
    "likely.models.markov.record": ("ChainRecord",),
    "likely.models.regression.design.design": ("Design",),
    "likely.models.regression.linear.record": ("LinearRecord",),
    "likely.models.regression.linear.solve": ("Line",),
    "likely.models.regression.logistic.record": ("LogisticRecord",),
    "likely.models.regression.logistic.missing_model": ("Beside",),
    "likely.calibrate.record": ("CalibratedRecord",),
    "likely.calibrate.methods": ("AsTheyAre", "EachClass", "Tempered"),
    "likely.calibrate": (
        *("BetaCalibration", "BinnedCalibration", "IsotonicCalibration", "LogisticCalibration"),
        "TemperatureCalibration",
    ),
    "likely.dist.numeric.column_variance": ("Spread",),
    "likely.stats": (
        *("Cells", "Counts", "CountSums", "Fourth", "GapSums", "Moments", "Scatter", "Sums", "Within"),
    ),
}
_HOME = {name: module for module, names in _RECORDS.items() for name in names}

# Sequences that are as long as they say: only where their length is compared with what there is.
ONLY_IN = {"Alike": "Schema", "Places": "Alike"}

# The estimators: the module of each, and the class of the record that is all it has learnt.
ESTIMATORS = {
    "BasicLinearClassifier": ("likely.models.regression.linear.classifiers", "LogisticRecord"),
    "Calibrated": ("likely.calibrate.calibrated", "CalibratedRecord"),
    "GaussianClassifier": ("likely.models.gaussian.classifier", "Record"),
    "HiddenMarkov": ("likely.models.markov.markov", "ChainRecord"),
    "Impute": ("likely.models.mixture.impute", "Record"),
    "LeastSquaresClassifier": ("likely.models.regression.linear.classifiers", "LogisticRecord"),
    "LinearRegression": ("likely.models.regression.linear.regression", "LinearRecord"),
    "LogisticRegression": ("likely.models.regression.logistic.regression", "LogisticRecord"),
    "Mixture": ("likely.models.mixture.mixture", "Record"),
    "MixtureClassifier": ("likely.models.mixture.classifier", "Record"),
    "NaiveBayes": ("likely.models.naive_bayes.classifier", "Record"),
}
# Enumerations, by the module in which they are.
_CHOICES = {
    "Kind": "likely.table.column.kinds",
    "Type": "likely.table.column.raw",
    "Reads": "likely.models.parts.part",
}
# What makes a record of the first file format one of today: a function, by its module.
_UPGRADES = {"Record": ("likely.models.groups.first_format", "of_first_format")}
# What refuses a record of which no model could have been fitted: a function, by its module.
CHECKS = {
    "Record": ("likely.models.groups.check", "check"),
    "ChainRecord": ("likely.models.markov.check", "check_chain"),
    "LinearRecord": ("likely.models.regression.linear.check", "check_linear"),
    "LogisticRecord": ("likely.models.regression.logistic.check", "check_logistic"),
    "CalibratedRecord": ("likely.calibrate.check", "check_calibrated"),
}


@cache
def choice_class(name: str) -> Any:
    """An enumeration by its name; None if there is none of that name."""
    return getattr(import_module(_CHOICES[name]), name) if name in _CHOICES else None


def record_class(name: str) -> Any:
    """A record's class by its name; None if there is none of that name. Priors are in the table of families.

    >>> record_class("Settings").__module__, record_class("Popen")
    ('likely.models.groups.record', None)
    """
    return _record_class(name) if name in _HOME else stored_class(name)


@cache
def _record_class(name: str) -> Any:
    return getattr(import_module(_HOME[name]), name)


def estimator_class(name: Any) -> Any:
    """An estimator of this library by its name."""
    if type(name) is not str or name not in ESTIMATORS:
        raise LikelyError(f"{name!r} is no model that this version of likely knows")
    return getattr(import_module(ESTIMATORS[name][0]), name)


def is_estimator(value: Any) -> bool:
    """Whether a value is an estimator that a file may hold; those made of one by others are not."""
    name = type(value).__name__
    return name in ESTIMATORS and type(value) is estimator_class(name)


def check_record(estimator: str, record: Any) -> None:
    """Refuse a record that is not the estimator's, or of which no model could have been fitted."""
    wanted = ESTIMATORS[estimator][1]
    if type(record) is not record_class(wanted):
        raise LikelyError(f"it holds no record of a {estimator}")
    module, function = CHECKS[wanted]
    getattr(import_module(module), function)(record)


def of_first_format(name: str, record: Any) -> Any:
    """A record as a file of the first format meant it."""
    if name not in _UPGRADES:
        return record
    module, function = _UPGRADES[name]
    return getattr(import_module(module), function)(record)
