"""A conjugate prior, and so a posterior too: a distribution of a family's parameters."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np

from likely.dist.distribution import Distribution
from likely.errors import LikelyError
from likely.stats.groups import Floats


class Prior(Distribution):
    """What is believed of parameters. It knows nothing of families: they know their priors."""

    @property
    @abstractmethod
    def mode(self) -> Floats:
        """The most probable parameters (the mean where there is no single mode)."""

    @property
    def finite_mean(self) -> Floats:
        """The expected parameters; the mode, where there is no expectation."""
        return self.mean

    @abstractmethod
    def posterior(self, stat: Any) -> Self:
        """What is believed of the parameters of each group and column once the data are seen."""

    @abstractmethod
    def log_evidence(self, stat: Any) -> Floats:
        """The log of the expected likelihood, for each place of the batch."""

    def draw_parameters(self, rng: np.random.Generator, n: int) -> Floats:
        """Parameters drawn n times."""
        return np.asarray(self._draw(rng, (n, *self.batch)))

    def refuse_others(self, stat: Any) -> None:
        """Refuse to be the prior of other columns than those that a statistic is of."""
        batch, shape = self.batch, np.shape(stat.n)
        width = getattr(self, "width", None)  # of a prior of several columns together
        if width is not None:
            batch, shape = (width,), stat.mean.shape[-1:]
        elif self.parameter_axes:
            return  # it looks at places of levels itself
        near = zip(batch[::-1], shape[::-1], strict=False)
        if len(batch) > len(shape) or not all(mine in (theirs, 1) for mine, theirs in near):
            raise LikelyError(
                f"prior={type(self).__name__}(...) is of {batch[-1]} columns, and the data have {shape[-1]}: "
                "give one of as many columns."
            )
