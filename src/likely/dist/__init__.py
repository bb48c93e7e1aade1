"""Statistics + prior -> a distribution; one family a file; posteriors are distributions too.

What there is of families, and their predictive distributions, stands in `families.table`.
"""

from likely.dist.distribution import Distribution as Distribution
from likely.dist.families.old_names import OF_FAMILIES as _OF_FAMILIES  # noqa: F401 - gives priors their old methods
from likely.dist.families.table import *  # noqa: F403
from likely.dist.family import HOW as HOW
from likely.dist.family import Family as Family
from likely.dist.prior import Laplace as Laplace
from likely.dist.prior import MEstimate as MEstimate
from likely.dist.prior import Prior as Prior
from likely.dist.prior import Smoothing as Smoothing
from likely.dist.priors.beta import Beta as Beta
from likely.dist.priors.beta import BinomialBeta as BinomialBeta
from likely.dist.priors.beta import GeometricBeta as GeometricBeta
from likely.dist.priors.bilateral_pareto import BilateralPareto as BilateralPareto
from likely.dist.priors.dirichlet import Dirichlet as Dirichlet
from likely.dist.priors.double_exponential import DoubleExponential as DoubleExponential
from likely.dist.priors.gamma import Gamma as Gamma
from likely.dist.priors.known_variance import KnownVariance as KnownVariance
from likely.dist.priors.normal_inverse_gamma import NormalInverseGamma as NormalInverseGamma
from likely.dist.priors.normal_inverse_wishart import NormalInverseWishart as NormalInverseWishart
from likely.dist.priors.normal_inverse_wishart import SharedCovariance as SharedCovariance
from likely.dist.priors.shared_variance import SharedDiagonal as SharedDiagonal
from likely.dist.priors.shared_variance import SharedSphere as SharedSphere
from likely.dist.priors.shared_variance import SharedVariance as SharedVariance
from likely.dist.shrinkage import Shrinkage as Shrinkage
from likely.dist.univariate import Univariate as Univariate
from likely.errors import old_names

__getattr__ = old_names(__name__, {"Grouped": "likely.dist.Distribution"})
