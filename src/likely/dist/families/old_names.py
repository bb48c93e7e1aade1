"""What is called otherwise since release 0.1: the old names work for one release, and warn.

Priors made distributions of the values; families make themselves now, and know their priors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from likely.dist.distribution import Distribution
from likely.dist.families.table import family_about
from likely.dist.prior import Prior
from likely.errors import LikelyError, renamed

OF_FAMILIES = {
    "at": "at",
    "mean_of": "at_mean",
    "mode_of": "at_mode",
    "draw_of": "at_draws",
    "predictive": "predictive",
}  # methods of priors, and what families call them


def _of_the_family(old: str, new: str) -> Callable[..., Distribution]:
    def method(self: Prior, *args: Any, **named: Any) -> Distribution:
        kind, family = type(self).__name__, family_about(self)
        if family is None:
            raise LikelyError(f"{kind}.{old} is gone: ask a family, as Normal.{new}(prior).")
        renamed(f"{kind}.{old}", f"{family.__name__}.{new}(prior, ...)")
        made: Distribution = getattr(family, new)(self, *args, **named)
        return made

    method.__name__ = old
    method.__doc__ = f"`{new}` of the family that the prior is about, by its name of release 0.1."
    return method


for _old, _new in OF_FAMILIES.items():
    setattr(Prior, _old, _of_the_family(_old, _new))
