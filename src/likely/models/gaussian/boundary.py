"""The equation of the boundary between two classes of normal distributions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.dist import MultivariateNormal, Normal
from likely.dist.distribution import dense, short
from likely.dist.elliptical import Factor
from likely.errors import LikelyError
from likely.models.groups.record import GroupRecord
from likely.table.accepted import TableLike
from likely.table.frame import Frame
from likely.table.schema import Schema

Floats = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class Boundary:
    """The log-odds of one class against another as a polynomial of the columns; 0 is the boundary.

    log-odds = constant + linear . x + x' quadratic x. Prints as that equation.
    """

    classes: tuple[Any, Any]  # favoured, against
    names: tuple[str, ...]
    centre: Floats  # (d,): where the terms below are measured from, which keeps their digits
    at_centre: Floats  # (): the log-odds there
    slope: Floats  # (d,): and how they rise
    quadratic: Floats  # (d, d), symmetric; all zeros for a linear boundary
    schema: Schema | None = None

    @property
    def is_linear(self) -> bool:
        """Whether the boundary is a point, a straight line or a plane."""
        return not self.quadratic.any()

    @property
    def linear(self) -> Floats:
        """The weights of the columns, (d,)."""
        return np.asarray(self.slope - 2 * self.quadratic @ self.centre)

    @property
    def constant(self) -> float:
        """The log-odds where all columns are 0."""
        return float(self.at_centre - self.slope @ self.centre + self.centre @ self.quadratic @ self.centre)

    def log_odds(self, X: TableLike) -> Floats:
        """The log-odds of rows, (n,): above 0 the favoured class is the more probable."""
        frame = Frame.of(X)
        if self.schema is not None:
            frame = self.schema.align(frame, "boundary")
            rows = dense(self.schema.numbers(frame, tuple(range(len(self.names)))).rows(0, frame.n))
        else:
            rows = np.stack([frame.raw(name).numbers() for name in frame.names], axis=1)
        apart = rows - self.centre
        squares = np.einsum("ij,jk,ik->i", apart, self.quadratic, apart)
        return np.asarray(self.at_centre + apart @ self.slope + squares)

    def points(self) -> Floats:
        """Of one column: every value at which both classes are equally probable, in order: 0, 1 or 2."""
        if len(self.names) != 1:
            raise LikelyError(
                f"the boundary of {len(self.names)} columns is no list of points: see the equation."
            )
        a, b, c = float(self.quadratic[0, 0]), float(self.slope[0]), float(self.at_centre)
        return np.asarray(sorted(self.centre[0] + root for root in _roots(a, b, c)))

    def __repr__(self) -> str:
        terms = [(f" {name}", weight) for name, weight in zip(self.names, self.linear, strict=True)]
        terms += [(f" {words}", weight) for words, weight in self._products()]
        # What is nothing beside the others is rounding.
        least = 1e-12 * max((abs(weight) for _, weight in terms), default=0.0)
        terms = [(words, weight) for words, weight in terms if abs(weight) > least]
        if abs(self.constant) > least or not terms:
            terms.append(("", self.constant))
        said = " ".join(
            f"{'-' if weight < 0 else '+'} {short(abs(weight))}{words}" for words, weight in terms
        )
        said = said.removeprefix("+ ") if said.startswith("+") else f"-{said[2:]}"
        kind = "linear" if self.is_linear else "quadratic"
        return (
            f"log-odds of {self.classes[0]!r} against {self.classes[1]!r} ({kind}; 0 on the boundary)\n{said}"
        )

    def _products(self) -> Iterator[tuple[str, float]]:
        for i, one in enumerate(self.names):
            for j in range(i, len(self.names)):
                weight = float(self.quadratic[i, j] * (1 if i == j else 2))
                yield f"{one}^2" if i == j else f"{one} {self.names[j]}", weight


def between(
    one: MultivariateNormal,
    other: MultivariateNormal,
    log_odds: float,
    names: Sequence[str],
    classes: tuple[Any, Any],
    schema: Schema | None = None,
) -> Boundary:
    """The boundary between two multivariate normals, given the log of their base rates' ratio.

    >>> left, right = MultivariateNormal([0, 0], np.eye(2)), MultivariateNormal([2, 0], np.eye(2))
    >>> between(left, right, 0.0, ("a", "b"), ("left", "right"))
    log-odds of 'left' against 'right' (linear; 0 on the boundary)
    -2 a + 2
    """
    centre = one.mean / 2 + other.mean / 2
    half = ((one.mean - other.mean) + (one.mean_rest - other.mean_rest)) / 2  # from the middle to one
    first, second = Factor.of(one.covariance), Factor.of(other.covariance)
    precise, more = first.whiten.T @ first.whiten, second.whiten.T @ second.whiten
    same = bool((one.covariance == other.covariance).all())
    quadratic = np.zeros_like(precise) if same else (more - precise) / 2
    # One lies half a step up from the middle, the other half a step down.
    slope = (precise + more) @ half
    at_centre = np.asarray(log_odds)
    if not same:
        at_centre = at_centre + (half @ (more - precise) @ half + second.log_det - first.log_det) / 2
    return Boundary(classes, tuple(names), centre, at_centre, slope, quadratic, schema)


def boundary(record: GroupRecord, a: int, b: int) -> Boundary:
    """The boundary between two classes of a model whose columns are all normal."""
    width = len(record.schema.columns)
    mean, rest, covariance = np.zeros((2, width)), np.zeros((2, width)), np.zeros((2, width, width))
    for part in record.core.parts:
        normal = part.distribution
        if not isinstance(normal, Normal | MultivariateNormal):
            raise LikelyError(
                f"column {part.first.name!r} is described by {type(normal).__name__}: the boundary has an "
                "equation where all columns are normal. Use predict_log_proba()."
            )
        columns = list(part.columns)
        mean[:, columns], rest[:, columns] = normal.mean[[a, b]], normal.mean_rest[[a, b]]
        covariance[np.ix_([0, 1], columns, columns)] = _covariance(normal, [a, b])
    both = MultivariateNormal(mean, covariance, rest)
    weights = record.core.log_weights
    if not np.isfinite(weights[[a, b]]).all():
        raise LikelyError("a class of base rate 0 has no boundary: it is never the more probable.")
    classes = (record.classes[a], record.classes[b])
    odds = float(weights[a] - weights[b])
    return between(both.take(0), both.take(1), odds, record.schema.names, classes, record.schema)


def _covariance(normal: Normal | MultivariateNormal, groups: list[int]) -> Floats:
    """Of some groups, (g, d, d)."""
    if isinstance(normal, MultivariateNormal):
        return np.asarray(normal.covariance[groups])
    return normal.variance[groups][:, :, None] * np.eye(normal.mean.shape[1])


def _roots(a: float, b: float, c: float) -> list[float]:
    """The real solutions of a x^2 + b x + c = 0; none if it holds nowhere or everywhere.

    >>> _roots(1, -3, 2), _roots(0, 2, -1), _roots(1, 0, 1), _roots(1, -2, 1)
    ([2.0, 1.0], [0.5], [], [1.0])
    """
    if a == 0:
        return [] if b == 0 else [-c / b]
    inside = b * b - 4 * a * c
    if inside < 0:
        return []
    # The sum of two numbers of one sign: their difference would lose digits.
    sum_ = -(b + np.copysign(np.sqrt(inside), b)) / 2
    if sum_ == 0:
        return [0.0]
    roots = [sum_ / a, c / sum_]
    return [float(root) for root in (roots[:1] if inside == 0 else roots)]
