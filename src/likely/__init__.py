"""Probabilistic learning for tables and text: honest probabilities, and the evidence behind each.

>>> import likely
>>> model = likely.NaiveBayes().fit(likely.read("titanic"), "survived")
>>> someone = {"class": ["1st"], "sex": ["female"], "age": ["adult"]}
>>> model.predict(someone).tolist()
['yes']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from likely.estimator.registry import MODELS, estimator_class

if TYPE_CHECKING:
    from likely import calibrate as calibrate
    from likely import codes as codes
    from likely import compare as compare
    from likely import decide as decide
    from likely import score as score
    from likely import serve as serve
    from likely import textbook as textbook
    from likely.calibrate.calibrated import Calibrated as Calibrated
    from likely.codes.classes.classifier import CompressionClassifier as CompressionClassifier
    from likely.codes.description.choose import RankedModels as RankedModels
    from likely.codes.description.choose import choose as choose
    from likely.codes.description.code_length import CodeLength as CodeLength
    from likely.codes.description.code_length import code_length as code_length
    from likely.compare.average import Average as Average
    from likely.compare.search import Search as Search
    from likely.decide import Decider as Decider
    from likely.decide import estimate_base_rate as estimate_base_rate
    from likely.dist import *  # noqa: F403
    from likely.engine.scan.scan import scan as scan
    from likely.errors import LikelyError as LikelyError
    from likely.errors import LikelyWarning as LikelyWarning
    from likely.estimator.diff import diff as diff
    from likely.estimator.saving import load as load
    from likely.features import Binarize as Binarize
    from likely.features import Cross as Cross
    from likely.features import Decompose as Decompose
    from likely.features import Discretize as Discretize
    from likely.features import Evidence as Evidence
    from likely.features import GroupLevels as GroupLevels
    from likely.features import Impute as Impute
    from likely.features import Linked as Linked
    from likely.features import MissingLevel as MissingLevel
    from likely.features import Normalize as Normalize
    from likely.features import Order as Order
    from likely.features import Polynomial as Polynomial
    from likely.features import Select as Select
    from likely.features import Structured as Structured
    from likely.features import Subgroups as Subgroups
    from likely.features import Threshold as Threshold
    from likely.features import Whiten as Whiten
    from likely.features import distances as distances
    from likely.features import nearest as nearest
    from likely.infer import EM as EM
    from likely.infer import em as em
    from likely.infer import em_restarts as em_restarts
    from likely.models import hypotheses as hypotheses
    from likely.models.gaussian.classifier import GaussianClassifier as GaussianClassifier
    from likely.models.joint.conditional import Conditional as Conditional
    from likely.models.joint.joint import Joint as Joint
    from likely.models.markov.markov import HiddenMarkov as HiddenMarkov
    from likely.models.mixture.classifier import MixtureClassifier as MixtureClassifier
    from likely.models.mixture.mixture import Mixture as Mixture
    from likely.models.naive_bayes.classifier import NaiveBayes as NaiveBayes
    from likely.models.network.network import Network as Network
    from likely.models.one_dependence.classifiers import AODE as AODE
    from likely.models.one_dependence.classifiers import TreeAugmentedNaiveBayes as TreeAugmentedNaiveBayes
    from likely.models.posterior.posterior import Posterior as Posterior
    from likely.models.posterior.posterior import posterior as posterior
    from likely.models.regression.linear.classifiers import BasicLinearClassifier as BasicLinearClassifier
    from likely.models.regression.linear.classifiers import LeastSquaresClassifier as LeastSquaresClassifier
    from likely.models.regression.linear.classifiers import total_least_squares as total_least_squares
    from likely.models.regression.linear.regression import LinearRegression as LinearRegression
    from likely.models.regression.logistic.regression import LogisticRegression as LogisticRegression
    from likely.page import Page as Page
    from likely.pool.classifier import Classifier as Classifier
    from likely.pool.regressor import Regressor as Regressor
    from likely.report import ColumnProfile as ColumnProfile
    from likely.report import Profile as Profile
    from likely.report.profile.profiling import profile as profile
    from likely.table.column.words import Words as Words
    from likely.table.read.read import read as read
    from likely.table.write.write import write as write

__version__ = "0.2.0"


# Where a public name lives. Those of models come from the table of models; those of families, their priors
# and their predictive distributions from the table of families. Modules are loaded when a name is first used:
# importing `likely` itself loads neither scikit-learn nor SciPy nor pandas.
_HOME = {
    "Average": "likely.compare.average",
    "RankedModels": "likely.codes.description.choose",
    "CodeLength": "likely.codes.description.code_length",
    "choose": "likely.codes.description.choose",
    "code_length": "likely.codes.description.code_length",
    "Decider": "likely.decide",
    "EM": "likely.infer",
    "em": "likely.infer",
    "em_restarts": "likely.infer",
    "estimate_base_rate": "likely.decide",
    "ColumnProfile": "likely.report",
    "Conditional": "likely.models.joint.conditional",
    "Joint": "likely.models.joint.joint",
    "LikelyError": "likely.errors",
    "LikelyWarning": "likely.errors",
    "total_least_squares": "likely.models.regression.linear.classifiers",
    "Posterior": "likely.models.posterior.posterior",
    "Page": "likely.page",
    "Profile": "likely.report",
    "Words": "likely.table.column.words",
    "diff": "likely.estimator.diff",
    "distances": "likely.features.row_distances",
    "load": "likely.estimator.saving",
    "nearest": "likely.features.row_distances",
    "posterior": "likely.models.posterior.posterior",
    "profile": "likely.report",
    "read": "likely.table.read.read",
    "scan": "likely.engine.scan.scan",
    "write": "likely.table.write.write",
}
# Public as a whole: what each lists in its own __all__.
_MODULES = {
    "calibrate": "likely.calibrate",
    "codes": "likely.codes",
    "compare": "likely.compare",
    "decide": "likely.decide",
    "hypotheses": "likely.models.hypotheses",
    "score": "likely.score",
    "serve": "likely.serve",
    "textbook": "likely.textbook",
}


def __getattr__(name: str) -> Any:
    if name in MODELS:
        return estimator_class(name)
    if name in _MODULES:
        return import_module(_MODULES[name])
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    if name == "__all__":
        return sorted([*_HOME, *_MODULES, *MODELS, *_table_of_families().public_names()])
    public = None if name.startswith("_") else _table_of_families().public_class(name)
    if public is None:
        raise AttributeError(f"module 'likely' has no attribute {name!r}")
    return public


def __dir__() -> list[str]:
    return [*__getattr__("__all__"), "__version__"]


def _table_of_families() -> Any:
    return import_module("likely.dist.families.table")
