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

if TYPE_CHECKING:
    from likely import score
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
        Gamma,
        Geometric,
        GeometricBeta,
        Histogram,
        Kernel,
        KernelByLikelihood,
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
        StudentT,
        Uniform,
        UniformPareto,
    )
    from likely.errors import LikelyError, LikelyWarning
    from likely.models import NaiveBayes
    from likely.table.read import read
    from likely.table.words import Words

__version__ = "0.1.0"

__all__ = [
    "Bernoulli",
    "Beta",
    "BetaBinomial",
    "BetaGeometric",
    "BilateralPareto",
    "Binomial",
    "BinomialBeta",
    "Categorical",
    "Dirichlet",
    "DirichletMultinomial",
    "Gamma",
    "Geometric",
    "GeometricBeta",
    "Histogram",
    "Kernel",
    "KernelByLikelihood",
    "Laplace",
    "LikelyError",
    "LikelyWarning",
    "MEstimate",
    "Multinomial",
    "MultivariateNormal",
    "MultivariateT",
    "NaiveBayes",
    "NegativeBinomial",
    "Normal",
    "NormalInverseGamma",
    "NormalInverseWishart",
    "Poisson",
    "StudentT",
    "Uniform",
    "UniformPareto",
    "Words",
    "read",
    "score",
]


# Where a public name lives, if not in `dist`. Modules are loaded when a name is first used: importing
# `likely` itself loads neither scikit-learn nor SciPy nor pandas.
_HOME = {
    "LikelyError": "likely.errors",
    "LikelyWarning": "likely.errors",
    "NaiveBayes": "likely.models",
    "Words": "likely.table.words",
    "read": "likely.table.read",
}
_MODULES = {"score": "likely.score"}  # public as a whole: what it lists in its own __all__


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'likely' has no attribute {name!r}")
    if name in _MODULES:
        return import_module(_MODULES[name])
    return getattr(import_module(_HOME.get(name, "likely.dist")), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
