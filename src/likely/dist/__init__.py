"""Statistics + prior -> a distribution; one family a file; posteriors are distributions too."""

from likely.dist.families.bernoulli import Bernoulli
from likely.dist.priors.beta import Beta
from likely.dist.predictive.beta_binomial import BetaBinomial
from likely.dist.predictive.beta_geometric import BetaGeometric
from likely.dist.priors.bilateral_pareto import BilateralPareto
from likely.dist.families.binomial import Binomial
from likely.dist.priors.binomial_beta import BinomialBeta
from likely.dist.families.categorical import Categorical
from likely.dist.priors.dirichlet import Dirichlet
from likely.dist.predictive.dirichlet_multinomial import DirichletMultinomial
from likely.dist.distribution import Distribution, Grouped
from likely.dist.priors.double_exponential import DoubleExponential
from likely.dist.family import HOW, Family, Prior
from likely.dist.priors.gamma import Gamma
from likely.dist.families.geometric import Geometric, GeometricBeta
from likely.dist.families.histogram import Histogram
from likely.dist.families.kernel import Kernel, KernelByLikelihood
from likely.dist.families.known_normal import KnownNormal
from likely.dist.priors.known_variance import KnownVariance
from likely.dist.families.ledoit_wolf import LedoitWolfNormal, LedoitWolfTied
from likely.dist.families.multinomial import Multinomial
from likely.dist.families.multivariate_normal import MultivariateNormal
from likely.dist.predictive.multivariate_t import MultivariateT
from likely.dist.predictive.negative_binomial import NegativeBinomial
from likely.dist.families.normal import Normal
from likely.dist.priors.normal_inverse_gamma import NormalInverseGamma
from likely.dist.priors.normal_inverse_wishart import NormalInverseWishart
from likely.dist.families.poisson import Poisson
from likely.dist.priors.shared_covariance import SharedCovariance
from likely.dist.priors.shared_diagonal import SharedDiagonal
from likely.dist.priors.shared_sphere import SharedSphere
from likely.dist.priors.shared_variance import SharedVariance
from likely.dist.priors.shrinkage import Shrinkage
from likely.dist.priors.smoothing import Laplace, MEstimate, Smoothing
from likely.dist.families.spherical_normal import SphericalNormal
from likely.dist.predictive.student_t import StudentT
from likely.dist.families.tied_diagonal_normal import TiedDiagonalNormal
from likely.dist.families.tied_normal import TiedNormal
from likely.dist.families.tied_spherical_normal import TiedSphericalNormal
from likely.dist.families.uniform import Uniform
from likely.dist.predictive.uniform_pareto import UniformPareto
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
