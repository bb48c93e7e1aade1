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
    from likely import calibrate, compare, decide, score, textbook
    from likely.calibrate.calibrated import Calibrated
    from likely.compare.average import Average
    from likely.decide import Decider, estimate_base_rate
    from likely.dist import (
        Bernoulli,
        Beta,
        BetaBinomial,
        BetaGeometric,
        BilateralPareto,
        Binomial,
        BinomialBeta,
        Categorical,
        Dirichlet,
        DirichletMultinomial,
        DoubleExponential,
        Gamma,
        Geometric,
        GeometricBeta,
        Histogram,
        Kernel,
        KernelByLikelihood,
        KnownVariance,
        Laplace,
        MEstimate,
        Multinomial,
        MultivariateNormal,
        MultivariateT,
        NegativeBinomial,
        Normal,
        NormalInverseGamma,
        NormalInverseWishart,
        Poisson,
        Shrinkage,
        StudentT,
        Uniform,
        UniformPareto,
    )
    from likely.errors import LikelyError, LikelyWarning
    from likely.estimator.saving import load
    from likely.features import Whiten
    from likely.infer import EM, em, em_restarts
    from likely.models import hypotheses
    from likely.models.diff import diff
    from likely.models.gaussian.classifier import GaussianClassifier
    from likely.models.joint.conditional import Conditional
    from likely.models.joint.joint import Joint
    from likely.models.markov.markov import HiddenMarkov
    from likely.models.mixture.classifier import MixtureClassifier
    from likely.models.mixture.impute import Impute
    from likely.models.mixture.mixture import Mixture
    from likely.models.naive_bayes.classifier import NaiveBayes
    from likely.models.posterior.posterior import Posterior, posterior
    from likely.models.regression.linear.classifiers import BasicLinearClassifier, LeastSquaresClassifier
    from likely.models.regression.linear.regression import LinearRegression
    from likely.models.regression.linear.total_least_squares import total_least_squares
    from likely.models.regression.logistic.regression import LogisticRegression
    from likely.report import ColumnProfile, Profile, profile
    from likely.table.column.words import Words
    from likely.table.read.read import read
    from likely.table.write.write import write

__version__ = "0.2.0"

__all__ = [
    "EM",
    "Average",
    "BasicLinearClassifier",
    "Bernoulli",
    "Beta",
    "BetaBinomial",
    "BetaGeometric",
    "BilateralPareto",
    "Binomial",
    "BinomialBeta",
    "Calibrated",
    "Categorical",
    "ColumnProfile",
    "Conditional",
    "Decider",
    "Dirichlet",
    "DirichletMultinomial",
    "DoubleExponential",
    "Gamma",
    "GaussianClassifier",
    "Geometric",
    "GeometricBeta",
    "HiddenMarkov",
    "Histogram",
    "Impute",
    "Joint",
    "Kernel",
    "KernelByLikelihood",
    "KnownVariance",
    "Laplace",
    "LeastSquaresClassifier",
    "LikelyError",
    "LikelyWarning",
    "LinearRegression",
    "LogisticRegression",
    "MEstimate",
    "Mixture",
    "MixtureClassifier",
    "Multinomial",
    "MultivariateNormal",
    "MultivariateT",
    "NaiveBayes",
    "NegativeBinomial",
    "Normal",
    "NormalInverseGamma",
    "NormalInverseWishart",
    "Poisson",
    "Posterior",
    "Profile",
    "Shrinkage",
    "StudentT",
    "Uniform",
    "UniformPareto",
    "Whiten",
    "Words",
    "calibrate",
    "compare",
    "decide",
    "diff",
    "em",
    "em_restarts",
    "estimate_base_rate",
    "hypotheses",
    "load",
    "posterior",
    "profile",
    "read",
    "score",
    "textbook",
    "total_least_squares",
    "write",
]


# Where a public name lives that is neither a model nor in `dist`. Modules are loaded when a name is first
# used: importing `likely` itself loads neither scikit-learn nor SciPy nor pandas.
_HOME = {
    "Average": "likely.compare.average",
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
    "total_least_squares": "likely.models.regression.linear.total_least_squares",
    "Posterior": "likely.models.posterior.posterior",
    "Profile": "likely.report",
    "Words": "likely.table.column.words",
    "diff": "likely.models.diff",
    "load": "likely.estimator.saving",
    "posterior": "likely.models.posterior.posterior",
    "profile": "likely.report",
    "read": "likely.table.read.read",
    "write": "likely.table.write.write",
}
# Public as a whole: what each lists in its own __all__.
_MODULES = {
    "calibrate": "likely.calibrate",
    "compare": "likely.compare",
    "decide": "likely.decide",
    "hypotheses": "likely.models.hypotheses",
    "score": "likely.score",
    "textbook": "likely.textbook",
}


def __getattr__(name: str) -> Any:
    if name in MODELS:
        return estimator_class(name)
    if name not in __all__:
        raise AttributeError(f"module 'likely' has no attribute {name!r}")
    if name in _MODULES:
        return import_module(_MODULES[name])
    return getattr(import_module(_HOME.get(name, "likely.dist")), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
