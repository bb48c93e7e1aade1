"""Statistics + prior -> a distribution; one family a file; posteriors are distributions too."""

from likely.dist.bernoulli import Bernoulli
from likely.dist.beta import Beta
from likely.dist.categorical import Categorical
from likely.dist.dirichlet import Dirichlet
from likely.dist.dirichlet_multinomial import DirichletMultinomial
from likely.dist.distribution import Distribution, Grouped
from likely.dist.family import HOW, Family, Prior
from likely.dist.gamma import Gamma
from likely.dist.multinomial import Multinomial
from likely.dist.multivariate_normal import MultivariateNormal
from likely.dist.multivariate_t import MultivariateT
from likely.dist.negative_binomial import NegativeBinomial
from likely.dist.normal import Normal
from likely.dist.normal_inverse_gamma import NormalInverseGamma
from likely.dist.normal_inverse_wishart import NormalInverseWishart
from likely.dist.poisson import Poisson
from likely.dist.smoothing import Laplace, MEstimate, Smoothing
from likely.dist.student_t import StudentT

FAMILIES: dict[str, type[Family]] = {
    family.name: family
    for family in (Bernoulli, Categorical, Poisson, Normal, Multinomial, MultivariateNormal)
}

__all__ = [
    "FAMILIES",
    "HOW",
    "Bernoulli",
    "Beta",
    "Categorical",
    "Dirichlet",
    "DirichletMultinomial",
    "Distribution",
    "Family",
    "Gamma",
    "Grouped",
    "Laplace",
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
    "Smoothing",
    "StudentT",
]
