"""Means and covariances of the groups of a model whose columns are all numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from likely.models.parts.part import Part

Floats = NDArray[np.float64]


def group_means(parts: Sequence[Part]) -> Floats:
    """The mean of every column in every group, (g, d); cannot be written to."""
    described = _of_numbers(parts)
    means = np.empty((len(described[0].distribution.mean), _width(described)))
    for part in described:
        means[:, part.columns] = part.distribution.mean
    return _read_only(means)


def group_covariances(parts: Sequence[Part]) -> Floats:
    """The covariances of the columns in every group, (g, d, d): 0 between columns that are independent."""
    described = _of_numbers(parts)
    g, d = len(described[0].distribution.mean), _width(described)
    covariances = np.zeros((g, d, d))
    for part in described:
        columns = np.array(part.columns)
        if hasattr(part.distribution, "covariance"):
            covariances[:, columns[:, None], columns] = part.distribution.covariance
        else:
            covariances[:, columns, columns] = part.distribution.variance
    return _read_only(covariances)


def _of_numbers(parts: Sequence[Part]) -> list[Part]:
    """The parts that describe cells; an AttributeError, as of any absent name, if some have no mean."""
    described = [part for part in parts if part.describes_cells]
    for part in described:
        if part.coded or not hasattr(part.distribution, "mean") or part.width != len(part.columns):
            raise AttributeError(
                f"column {part.first.name!r} is no number, so that it has no mean: describe() has what the "
                "model knows of every column."
            )
    if not described:
        raise AttributeError("the model has no columns of numbers.")
    return described


def _width(parts: Sequence[Part]) -> int:
    return sum(len(part.columns) for part in parts)


def _read_only(array: Floats) -> Floats:
    array.setflags(write=False)
    return array
