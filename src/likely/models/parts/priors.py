"""Which prior is that of which columns: what is stated is used, or refused."""

from __future__ import annotations

from collections.abc import Iterable

from likely.dist import Family, MultivariateNormal, Prior, Shrinkage, Smoothing
from likely.dist.numeric.density import NoPrior
from likely.errors import LikelyError


def suits(prior: object, family: type[Family]) -> bool:
    """Whether a prior can be that of a family's parameters; words and numbers always can."""
    if isinstance(prior, Smoothing):
        return family.counts_levels
    if isinstance(prior, Shrinkage):
        return issubclass(family, MultivariateNormal)
    return not isinstance(prior, Prior) or family.takes(prior)


def refuse_unsuited(prior: object, columns: Iterable[tuple[str, type[Family]]]) -> None:
    """Refuse a prior for all columns that would be that of none, or a conjugate one that is not that of all.

    A smoothing or a shrinkage says the same of any levels, or any covariance: other columns keep their
    default. A conjugate prior is about parameters of one kind, in units of their own.
    """
    unsuited = None
    for name, family in columns:
        if suits(prior, family):
            if not isinstance(prior, Prior):
                return
        elif unsuited is None:
            unsuited = name, family
    if unsuited is not None:
        name, family = unsuited
        raise LikelyError(
            f"prior={said(prior)} does not suit the {family.name} family of column {name!r}: "
            f"give {what_suits(family)}; or give each column its own, as prior={{{name!r}: 'default', ...}}."
        )


def what_suits(family: type[Family]) -> str:
    """The priors that a family can have, in words."""
    named = [] if family.conjugate is NoPrior else [f"a {kind.__name__}" for kind in family.conjugates()]
    named += ["a smoothing such as Laplace()"] if family.counts_levels else []
    named += ["a Shrinkage"] if issubclass(family, MultivariateNormal) else []
    return ", ".join([*named, "a strength, 'default' or None"])


def said(prior: object) -> str:
    """A prior on one line, if need be cut."""
    line = " ".join(repr(prior).split())
    return line if len(line) <= 100 else f"{line[:97]}..."
