"""Statistics + prior -> a distribution; one family a file; posteriors are distributions too."""

from likely.dist.bernoulli import Bernoulli
from likely.dist.beta import Beta
from likely.dist.beta_binomial import BetaBinomial
from likely.dist.beta_geometric import BetaGeometric
from likely.dist.bilateral_pareto import BilateralPareto
from likely.dist.binomial import Binomial
from likely.dist.binomial_beta import BinomialBeta
from likely.dist.categorical import Categorical
from likely.dist.dirichlet import Dirichlet
from likely.dist.dirichlet_multinomial import DirichletMultinomial
from likely.dist.distribution import Distribution, Grouped
from likely.dist.double_exponential import DoubleExponential
from likely.dist.family import HOW, Family, Prior
from likely.dist.gamma import Gamma
from likely.dist.geometric import Geometric, GeometricBeta
from likely.dist.histogram import Histogram
from likely.dist.kernel import Kernel, KernelByLikelihood
from likely.dist.known_normal import KnownNormal
from likely.dist.known_variance import KnownVariance
from likely.dist.ledoit_wolf import LedoitWolfNormal, LedoitWolfTied
from likely.dist.multinomial import Multinomial
from likely.dist.multivariate_normal import MultivariateNormal
from likely.dist.multivariate_t import MultivariateT
from likely.dist.negative_binomial import NegativeBinomial
from likely.dist.normal import Normal
from likely.dist.normal_inverse_gamma import NormalInverseGamma
from likely.dist.normal_inverse_wishart import NormalInverseWishart
from likely.dist.poisson import Poisson
from likely.dist.shared_covariance import SharedCovariance
from likely.dist.shared_diagonal import SharedDiagonal
from likely.dist.shared_sphere import SharedSphere
from likely.dist.shared_variance import SharedVariance
from likely.dist.shrinkage import Shrinkage
from likely.dist.smoothing import Laplace, MEstimate, Smoothing
from likely.dist.spherical_normal import SphericalNormal
from likely.dist.student_t import StudentT
from likely.dist.tied_diagonal_normal import TiedDiagonalNormal
from likely.dist.tied_normal import TiedNormal
from likely.dist.tied_spherical_normal import TiedSphericalNormal
from likely.dist.uniform import Uniform
from likely.dist.uniform_pareto import UniformPareto
from likely.dist.univariate import Univariate

FAMILIES: dict[str, type[Family]] = {
    family.name: family
    for family in (
        Bernoulli,
        Categorical,
        Poisson,
        Normal,
        Multinomial,
        MultivariateNormal,
        Binomial,
        Geometric,
        Uniform,
        Histogram,
        Kernel,
        KernelByLikelihood,
        TiedNormal,
        SphericalNormal,
        KnownNormal,
        LedoitWolfNormal,
        LedoitWolfTied,
        TiedDiagonalNormal,
        TiedSphericalNormal,
    )
}

__all__ = [
    "FAMILIES",
    "HOW",
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
    "Distribution",
    "DoubleExponential",
    "Family",
    "Gamma",
    "Geometric",
    "GeometricBeta",
    "Grouped",
    "Histogram",
    "Kernel",
    "KernelByLikelihood",
    "KnownNormal",
    "KnownVariance",
    "Laplace",
    "LedoitWolfNormal",
    "LedoitWolfTied",
    "MEstimate",
    "Multinomial",
    "MultivariateNormal",
    "MultivariateT",
    "NegativeBinomial",
    "Normal",
    "NormalInverseGamma",
    "NormalInverseWishart",
    "Poisson",
    "Prior",
    "SharedCovariance",
    "SharedDiagonal",
    "SharedSphere",
    "SharedVariance",
    "Shrinkage",
    "Smoothing",
    "SphericalNormal",
    "StudentT",
    "TiedDiagonalNormal",
    "TiedNormal",
    "TiedSphericalNormal",
    "Uniform",
    "UniformPareto",
    "Univariate",
]
