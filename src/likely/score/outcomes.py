"""True outcomes beside predicted ones: checked once, for all scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.dist.distribution import demand, numbers
from likely.errors import LikelyError
from likely.stats.groups import Floats

TOLERANCE = 1e-6  # libraries that predict in single precision are welcome
REACH = 400  # powers of two: weights below have squares, and sums of squares, that are floats


@dataclass(frozen=True)
class Outcomes:
    """The class of each row as a column of `p`, the probabilities, and the weights.

    >>> told = Outcomes.of(["no", "yes", "yes"], [0.1, 0.8, 0.5])
    >>> told.codes, told.p[1], told.classes
    (array([0, 1, 1]), array([0.2, 0.8]), ('no', 'yes'))
    """

    codes: NDArray[np.intp]  # (n,)
    p: Floats  # (n, g)
    weight: Floats  # (n,)
    classes: tuple[Any, ...]  # (g,)

    @property
    def n(self) -> int:
        """The number of rows."""
        return len(self.codes)

    @classmethod
    def of(
        cls, y: ArrayLike, p: ArrayLike, classes: ArrayLike | None = None, weight: ArrayLike | None = None
    ) -> Outcomes:
        """Labels and probabilities as a user has them."""
        labels, chances = np.asarray(y), numbers("p", p)
        if classes is None and chances.ndim == 1 and len(labels) and _one_of_two(labels):
            classes = [False, True] if labels.dtype == bool else [0, 1]
        given = distinct(labels)[0] if classes is None else np.asarray(classes)
        near = (chances >= -TOLERANCE) & (chances <= 1 + TOLERANCE)
        chances = np.clip(demand("p", chances, near, "a probability is a number from 0 to 1"), 0, 1)
        if chances.ndim == 1 and len(given) == 2:
            chances = np.column_stack([1 - chances, chances])
        if labels.ndim != 1 or chances.shape != (len(labels), len(given)) or not len(labels):
            raise LikelyError(
                f"p has the shape {chances.shape} for {len(labels)} rows and the {len(given)} classes "
                f"{given.tolist()[:10]!r}: give one row of probabilities for each row, one column a class "
                "(name the classes with classes=)."
            )
        sums = chances.sum(axis=1)
        off = np.abs(sums - 1) > TOLERANCE
        if off.any():
            row = int(np.argmax(off))
            raise LikelyError(
                f"the probabilities of row {row} add up to {sums[row]:g}: they must add up to 1."
            )
        return cls(codes_of(labels, given), chances, weights(weight, len(labels)), tuple(given.tolist()))


def _one_of_two(labels: NDArray[Any]) -> bool:
    """Whether all rows are of one class that is true or false, or 0 or 1: the other one is known."""
    return labels.dtype.kind in "biu" and bool((labels == labels[0]).all() and labels[0] in (0, 1))


def distinct(labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """The distinct labels in order, and the place of each row's among them."""
    refuse_missing(labels)
    try:
        values, where = np.unique(labels, return_inverse=True)
    except TypeError:
        raise LikelyError("y holds values of several types: give labels of one type, such as text.") from None
    return values, where


def refuse_missing(labels: NDArray[Any]) -> None:
    """Refuse labels of which one is missing.

    >>> refuse_missing(np.array(["yes", None], object))
    Traceback (most recent call last):
    likely.errors.LikelyError: y is missing in row 1: leave such rows out.
    """
    if labels.dtype.kind == "f":
        missing = np.isnan(labels)
    elif labels.dtype.kind == "O":
        missing = np.array([label is None for label in labels.tolist()], bool) | (labels != labels)
    else:
        return
    if missing.any():
        raise LikelyError(f"y is missing in row {int(np.argmax(missing))}: leave such rows out.")


def codes_of(labels: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.intp]:
    """The place of each row's label among the classes.

    >>> codes_of(np.array(["no", "yes", "no"]), np.array(["yes", "no"]))
    array([1, 0, 1])
    """
    place = {label: i for i, label in enumerate(classes.tolist())}
    if len(place) < len(classes):
        raise LikelyError(f"classes={classes.tolist()!r} names a class twice: name each column once.")
    values, where = distinct(labels)
    for label in values.tolist():
        if label not in place:
            row = int(np.argmax(labels == label))
            raise LikelyError(f"y: row {row} holds {label!r}, which is none of the classes {list(place)!r}.")
    return np.array([place[label] for label in values.tolist()], np.intp)[where]


def weights(weight: ArrayLike | None, n: int) -> Floats:
    """The weight of each row on the scale it came in, where 2 is the row twice; 1 if none are given.

    Weights whose squares are no floats are divided by a power of two.

    >>> weights([1, 4], 2)
    array([1., 4.])
    """
    known = weights_as_given(weight, n)
    power = int(np.frexp(known.max())[1])
    return known if abs(power) < REACH else np.asarray(np.ldexp(known, -power))


def weights_as_given(weight: ArrayLike | None, n: int) -> Floats:
    """As `weights`, however large or small.

    >>> weights_as_given([1, 4], 2)
    array([1., 4.])
    """
    if weight is None:
        return np.ones(n)
    given = numbers("weight", weight)
    if given.shape != (n,):
        raise LikelyError(f"weight has the shape {given.shape}: give one number for each of the {n} rows.")
    if not (given >= 0).all() or not np.isfinite(given).all() or not given.any():
        raise LikelyError("weight: weights are finite numbers of 0 or more, and not all 0.")
    return given
