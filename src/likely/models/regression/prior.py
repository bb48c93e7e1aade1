"""What a user says of the coefficients beforehand -> a penalty on standardised ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist import DoubleExponential, MultivariateNormal, Normal
from likely.dist.distribution import Distribution
from likely.errors import LikelyError
from likely.infer.newton import Penalty
from likely.models.regression.design import Design

Floats = NDArray[np.float64]

DEFAULT_SD = 2.5
WORDS = "'default', None, 'auto' (logistic regression also: 'validated', 'jeffreys')"


# A word, a prior of all coefficients, several that hold together, or one by the column's name; None is flat.
CoefficientPrior = str | Distribution | Sequence[Any] | Mapping[str, Any] | None


@dataclass(frozen=True)
class Coefficients:
    """theta = (intercept, coefficients of standardised columns), for each of `parts` classes.

    >>> from likely.engine import engine_for
    >>> from likely.table.frame import Frame
    >>> design = Design.learn(Frame.of({"x": [1.0, 5.0]}), None, False, None, engine_for(None))
    >>> Coefficients(design, 1, True).penalty(Normal(0, 2)).precision
    array([0.  , 0.25])
    """

    design: Design
    parts: int
    standardised: bool  # whether priors speak of standardised columns, or of the original ones

    @property
    def shape(self) -> tuple[int, int]:
        """Of theta: classes by (1 + columns)."""
        return self.parts, 1 + len(self.design.names)

    def penalty(self, prior: CoefficientPrior) -> Penalty:
        """The penalty of a prior; the intercept is free, unless the prior is of everything together."""
        if isinstance(prior, MultivariateNormal):
            return self._joint(prior)
        flat = Penalty.none(self.shape[0] * self.shape[1])
        mean, precision, rate, centre = (np.zeros(self.shape) for _ in range(4))
        for one in prior if isinstance(prior, tuple | list) else (prior,):
            if isinstance(one, Mapping):
                for name, its in one.items():
                    self._add(its, self._columns(str(name)), (mean, precision, rate, centre))
            else:
                everything = np.arange(len(self.design.names))
                self._add(one, everything, (mean, precision, rate, centre))
        arrays = (array.ravel() for array in (mean, precision, rate, centre))
        return flat if prior is None else Penalty(*arrays)

    def original(self, theta: Floats) -> Floats:
        """Intercepts and coefficients of the original columns, (..., parts, 1 + columns)."""
        theta = theta.reshape(*theta.shape[:-1], *self.shape) if theta.shape[-2:] != self.shape else theta
        out = theta.copy()
        out[..., 1:] /= self.design.unit
        out[..., 0] -= out[..., 1:] @ self.design.centre
        return out

    def from_original(self, original: Floats) -> Floats:
        """theta, of intercepts and coefficients of the original columns, (..., parts, 1 + columns)."""
        theta = original.copy()
        theta[..., 0] += theta[..., 1:] @ self.design.centre
        theta[..., 1:] *= self.design.unit
        return theta

    def original_matrix(self) -> Floats:
        """The matrix that turns a class's standardised theta into the original one, (q, q)."""
        q = self.shape[1]
        return np.stack(
            [Coefficients(self.design, 1, True).original(row[None])[0] for row in np.eye(q)], axis=1
        )

    def _columns(self, name: str) -> NDArray[np.intp]:
        """The columns of the design that a name means: a column of the table, or one of the design."""
        if name in self.design.names:
            return np.array([self.design.names.index(name)], np.intp)
        if name in self.design.schema.names:
            return np.flatnonzero(self.design.source == self.design.schema.names.index(name))
        raise LikelyError(
            f"prior names {name!r}, which is no column of the table and no coefficient: they are "
            f"{list(self.design.names)[:10]!r}."
        )

    def _add(self, prior: CoefficientPrior, columns: NDArray[np.intp], arrays: tuple[Floats, ...]) -> None:
        mean, precision, rate, centre = arrays
        at = (slice(None), 1 + columns)
        unit = 1.0 if self.standardised else self.design.unit[columns]
        if prior is None:
            return
        if isinstance(prior, str) and prior == "default":
            prior = Normal(0, DEFAULT_SD)
        if isinstance(prior, Normal):
            where, spread = self._shaped(prior.mean, columns), self._shaped(prior.sd, columns)
            mean[at] = where * unit
            precision[at] = 1 / (spread * unit) ** 2
        elif isinstance(prior, DoubleExponential):
            where, spread = self._shaped(prior.location, columns), self._shaped(prior.scale, columns)
            centre[at] = where * unit
            rate[at] = 1 / (spread * unit)
        else:
            raise LikelyError(
                f"prior={prior!r}: give {WORDS}, Normal(0, s), DoubleExponential(0, s), a tuple of both, a "
                "MultivariateNormal of intercept and coefficients, or a prior for each column by its name."
            )

    def _shaped(self, values: Floats, columns: NDArray[np.intp]) -> Floats:
        """One number for all, one a column, or one a class and column."""
        try:
            return np.broadcast_to(values, (self.parts, len(columns)))
        except ValueError:
            raise LikelyError(
                f"a prior has the shape {values.shape}, and there are {len(columns)} coefficients"
                f"{'' if self.parts == 1 else f' for each of {self.parts} classes'}: "
                f"{list(self.design.names)[:10]!r}. Give one number for all, or one for each."
            ) from None

    def _joint(self, prior: MultivariateNormal) -> Penalty:
        """A prior of intercept and coefficients together, in original units: a posterior of before."""
        p = self.shape[0] * self.shape[1]
        if prior.mean.shape != (p,):
            raise LikelyError(
                f"the prior is of {prior.mean.shape[-1]} parameters, and there are {p}: the intercept and "
                f"{list(self.design.names)[:10]!r}. List the levels in kinds=, so that both have the same."
            )
        turn = np.kron(np.eye(self.parts), self.original_matrix())
        precision = turn.T @ np.linalg.solve(prior.covariance, turn)
        mean = np.linalg.solve(turn, prior.mean + prior.mean_rest)
        return Penalty(mean, (precision + precision.T) / 2, np.zeros(p), np.zeros(p))
