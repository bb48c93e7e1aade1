"""Classifiers of known normal distributions: a record as if it had been learnt from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.dist import MultivariateNormal, TiedNormal
from likely.dist.distribution import numbers
from likely.errors import LikelyError
from likely.estimator.fitted import target_column
from likely.models.groups.record import GroupRecord
from likely.models.groups.tally import BaseRate, GroupTally, Settings
from likely.models.parts.plan import learn_schema, plan
from likely.stats import Scatter, Within
from likely.table.column.as_raw import as_raw
from likely.table.frame import Frame


def known_record(
    means: Mapping[Any, Any],
    covariances: Mapping[Any, ArrayLike] | ArrayLike,
    base_rate: BaseRate,
    names: Sequence[str] | None,
) -> tuple[GroupRecord, str]:
    """The record whose maximum-likelihood estimate these distributions are, and the shape they have.

    What it has seen is one row's worth of each class, with the moments of its distribution.
    """
    if not means:
        raise LikelyError("means={}: give the mean of each class.")
    target = target_column(as_raw("y", np.asarray(list(means))))
    classes = target.levels or ()
    given_means = [np.atleast_1d(numbers("means", means[label])) for label in classes]
    width = given_means[0].size
    for label, mean in zip(classes, given_means, strict=True):
        if mean.shape != (width,):
            raise LikelyError(
                f"the mean {mean.tolist()!r} of class {label!r} does not fit that of {classes[0]!r}, "
                f"which has {width} columns: give one number for each column."
            )
    centres = np.stack(given_means)
    tied = not isinstance(covariances, Mapping)
    own = covariances if isinstance(covariances, Mapping) else {None: covariances}
    if not tied and set(own) != set(means):
        raise LikelyError(
            f"covariances of {list(own)!r} and means of {list(means)!r}: give both for every class."
        )
    matrices = np.stack([_matrix(own[label], width) for label in ((None,) if tied else classes)])
    truth = MultivariateNormal(centres, matrices)
    if names is not None and len(names) != width:
        raise LikelyError(f"names={list(names)!r}: give {width}, one for each number of a mean.")
    rows = centres if names is None else {name: centres[:, j] for j, name in enumerate(names)}
    frame = Frame.of(rows)
    family = TiedNormal if tied else MultivariateNormal
    schema = learn_schema(frame, "quantitative", "ignore").without_spans()  # of examples, which are no data
    (part,) = plan(schema, frame, "quantitative", family, None, "ignore", "ml")
    one_each = np.ones(len(classes))
    seen: Any = Scatter(one_each, truth.mean, truth.covariance.copy())
    if tied:
        seen = Within(one_each, truth.mean, matrices * len(classes))
    tally = GroupTally(one_each, (part.with_statistic(seen),))
    record = GroupRecord(target, tally, Settings("ml", None, base_rate))
    return record, "tied" if tied else "full"


def _matrix(given: ArrayLike, width: int) -> Any:
    covariance = numbers("covariances", given)
    covariance = covariance.reshape(1, 1) if covariance.size == 1 else covariance
    if covariance.shape != (width, width):
        raise LikelyError(f"a covariance of shape {covariance.shape} does not fit means of {width} columns.")
    return covariance
