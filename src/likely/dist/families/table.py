"""The table of families, a row each: all else that names families is derived from it.

A new family is a file and a row here (with its import, and that of its predictive distribution if that is a
file of its own). Then it is a word for `families=` and for the command line, a public name, a candidate of
"auto", and a model file may hold it and its priors. The order says which family a prior that several share is
about if nobody says, and which wins a tie of "auto": the simpler first.
"""

from __future__ import annotations

from collections.abc import Iterator

from likely.dist.density import NoPrior
from likely.dist.distribution import Distribution
from likely.dist.families.bernoulli import Bernoulli as Bernoulli
from likely.dist.families.binned import Binned as Binned
from likely.dist.families.binomial import Binomial as Binomial
from likely.dist.families.categorical import Categorical as Categorical
from likely.dist.families.discretized import Discretized as Discretized
from likely.dist.families.exponential import Exponential as Exponential
from likely.dist.families.geometric import Geometric as Geometric
from likely.dist.families.histogram import Histogram as Histogram
from likely.dist.families.kernel import Kernel as Kernel
from likely.dist.families.kernel import KernelByLikelihood as KernelByLikelihood
from likely.dist.families.known_normal import KnownNormal as KnownNormal
from likely.dist.families.ledoit_wolf import LedoitWolfNormal as LedoitWolfNormal
from likely.dist.families.ledoit_wolf import LedoitWolfTied as LedoitWolfTied
from likely.dist.families.multinomial import Multinomial as Multinomial
from likely.dist.families.multivariate_normal import MultivariateNormal as MultivariateNormal
from likely.dist.families.normal import Normal as Normal
from likely.dist.families.poisson import Poisson as Poisson
from likely.dist.families.spherical_normal import SphericalNormal as SphericalNormal
from likely.dist.families.spherical_normal import TiedDiagonalNormal as TiedDiagonalNormal
from likely.dist.families.spherical_normal import TiedSphericalNormal as TiedSphericalNormal
from likely.dist.families.tied_normal import TiedNormal as TiedNormal
from likely.dist.families.uniform import Uniform as Uniform
from likely.dist.family import Family
from likely.dist.numeric.value_grid import Grid
from likely.dist.predictive.beta_binomial import BetaBinomial as BetaBinomial
from likely.dist.predictive.beta_geometric import BetaGeometric as BetaGeometric
from likely.dist.predictive.dirichlet_multinomial import DirichletMultinomial as DirichletMultinomial
from likely.dist.predictive.lomax import Lomax as Lomax
from likely.dist.predictive.multivariate_t import MultivariateT as MultivariateT
from likely.dist.predictive.negative_binomial import NegativeBinomial as NegativeBinomial
from likely.dist.predictive.student_t import StudentT as StudentT
from likely.dist.predictive.uniform_pareto import UniformPareto as UniformPareto
from likely.dist.prior import Laplace, MEstimate, Prior
from likely.dist.priors.double_exponential import DoubleExponential
from likely.dist.priors.known_variance import KnownVariance
from likely.dist.shrinkage import Shrinkage
from likely.dist.weighed import Unit
from likely.errors import LikelyError
from likely.stats.binned import Cells

_PUBLIC: tuple[type[Family], ...] = (
    Bernoulli,
    Poisson,
    Geometric,
    Normal,
    Uniform,
    Categorical,
    Exponential,
    Binned,
    Histogram,
    Kernel,
    KernelByLikelihood,
    Binomial,
    Multinomial,
    MultivariateNormal,
)
# Shapes of Gaussian models, and bins that follow the groups: words for `families=`, but no public names.
_SHAPES: tuple[type[Family], ...] = (
    Discretized,
    TiedNormal,
    SphericalNormal,
    KnownNormal,
    LedoitWolfNormal,
    LedoitWolfTied,
    TiedDiagonalNormal,
    TiedSphericalNormal,
)
# Public, and in files, though no public family's own.
_PRIOR_WORDS = (KnownVariance, DoubleExponential, Laplace, MEstimate, Shrinkage)
_OF_COEFFICIENTS = (Normal, MultivariateNormal)  # families that are priors, too

FAMILIES: dict[str, type[Family]] = {family.name: family for family in (*_PUBLIC, *_SHAPES)}
_BY_CLASS: dict[str, type[Family]] = {}
_STORED: dict[str, type] = {}
_HIDDEN = {family.name for family in _SHAPES}


def register_family(family: type[Family]) -> type[Family]:
    """Add a row at run time, for a family of your own; until `forget_family`, it is as good as the others.

    A file that holds it can be read by a program that has registered it.
    """
    if FAMILIES.get(family.name, family) is not family or family.__name__ in _classes():
        raise LikelyError(f"family {family.name!r} ({family.__name__}) is there already: take another name.")
    FAMILIES[family.name] = family
    _derive()
    return family


def forget_family(family: type[Family]) -> None:
    """Take a row out that `register_family` has added."""
    if family in _PUBLIC or family in _SHAPES or FAMILIES.get(family.name) is not family:
        raise LikelyError(f"family {family.name!r} was not registered: only such can be taken out.")
    del FAMILIES[family.name]
    _derive()


def family_class(name: str) -> type[Family] | None:
    """A family by the name of its class; None if there is none."""
    return _BY_CLASS.get(name)


def stored_class(name: str) -> type | None:
    """What a file may hold beside families themselves: priors and predictive distributions; else None."""
    return _STORED.get(name)


def public_class(name: str) -> type | None:
    """A public class by its name; None if there is none."""
    return _classes().get(name) if name in public_names() else None


def public_names() -> list[str]:
    """Families, their priors and their predictive distributions."""
    shown = [family for name, family in FAMILIES.items() if name not in _HIDDEN]
    return sorted({one.__name__ for one in (*shown, *_beside(shown))})


def family_about(prior: Prior) -> type[Family] | None:
    """The family whose parameters a prior is taken to be about if nobody says; None if there is none."""
    return next((family for family in FAMILIES.values() if family.is_about(prior)), None)


def candidates(cells: Cells, grid: Grid, unit: Unit) -> list[type[Family]]:
    """The families that "auto" may take for a column of numbers, the simplest first."""
    shown = (family for name, family in FAMILIES.items() if name not in _HIDDEN)
    return [family for family in shown if family.candidate(cells, grid, unit)]


def _beside(families: list[type[Family]] | None = None) -> Iterator[type]:
    """The priors and the predictive distributions of families, and the words that stand for priors."""
    yield from _PRIOR_WORDS
    for family in FAMILIES.values() if families is None else families:
        own: tuple[type[Distribution] | None, ...] = (
            *family.conjugates(),
            family.named_prior,
            family.predicted_by,
        )
        yield from (one for one in own if one is not None and one is not NoPrior)


def _classes() -> dict[str, type]:
    return {**_STORED, **_BY_CLASS}


def _derive() -> None:
    """Look again at the rows: names of classes are asked for by the thousand while a file is read."""
    _BY_CLASS.clear()
    _BY_CLASS.update({family.__name__: family for family in FAMILIES.values()})
    _STORED.clear()
    _STORED.update({one.__name__: one for one in (*_beside(), *_OF_COEFFICIENTS)})


_derive()
