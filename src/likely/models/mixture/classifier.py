"""Classes that are mixtures: several groups of each, found by EM."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from likely.dist.family import Priors
from likely.errors import LikelyError
from likely.estimator.fitted import (
    counted_rows,
    refuse_empty,
    row_weights,
    split_target,
    target_column,
    told_codes,
)
from likely.estimator.scored import Scored
from likely.infer import EM
from likely.models.groups.record import GroupRecord
from likely.models.groups.tally import class_place
from likely.models.mixture.em_estimator import ByEM, Curve, choose_groups, whole_number
from likely.models.mixture.em_search import EMSearch, PlannedTable
from likely.models.parts.plan import FamilyWords
from likely.table.accepted import Kinds, RandomState, TableLike, Target, Weights
from likely.table.column.column import Column

Ints = NDArray[np.intp]

ROUGH = 1e-4  # nats a row: when EM ends while numbers of groups are tried


class MixtureClassifier(ByEM, Scored, ClassifierMixin, BaseEstimator):
    """A classifier whose classes are mixtures of several groups each, as digits that are written in two ways.

    Rows whose class is missing help too: they belong to every group by what their columns say.

    Parameters
    ----------
    components : int, mapping or "auto"
        How many groups each class has, one number for all or one for each; "auto" tries 1, 2, 3 and so on for
        every class on its own rows, and takes the best by `criterion`.
    kinds, families, prior, base_rate, missing, n_jobs
        As in `NaiveBayes`; quantitative columns without a family of their own follow `covariance`.
    covariance, max_iter, tol, restarts, criterion, random_state
        As in `Mixture`.
    init : "kmeans", "k-means++" or "random"
        How the rows of each class are put into its groups at first.

    Attributes
    ----------
    components_ : dict
        How many groups each class has.
    curves_ : dict
        With "auto", for each class the numbers of groups that were tried, and their bits.
    history_, n_iter_, converged_, families_
        As in `Mixture`.

    Examples
    --------
    >>> import likely
    >>> x = [1.0, 1.1, 9.0, 9.2, 5.0, 5.1, 4.9, 5.2]
    >>> y = ["out", "out", "out", "out", "in", "in", "in", "in"]
    >>> model = likely.MixtureClassifier({"out": 2, "in": 1}, random_state=0).fit({"x": x}, y)
    >>> model.predict({"x": [1.0, 5.0, 9.0]}).tolist()
    ['out', 'in', 'out']
    """

    def __init__(
        self,
        components: int | str | Mapping[Any, int] = 2,
        *,
        kinds: Kinds = None,
        families: FamilyWords = None,
        covariance: str = "full",
        prior: Priors = "default",
        base_rate: Mapping[Any, float] | str | None = None,
        missing: str = "ignore",
        max_iter: int = 200,
        tol: float = 1e-6,
        restarts: int = 1,
        init: str = "kmeans",
        criterion: str = "bic",
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.components = components
        self.kinds = kinds
        self.families = families
        self.covariance = covariance
        self.prior = prior
        self.base_rate = base_rate
        self.missing = missing
        self.max_iter = max_iter
        self.tol = tol
        self.restarts = restarts
        self.init = init
        self.criterion = criterion
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: TableLike, y: Target, sample_weight: Weights = None) -> Self:
        """Learn from a table and its target (values, or a column's name), which may have gaps."""
        X, y, sample_weight = counted_rows(X, y, sample_weight)
        frame, raw = split_target(X, y, type(self).__name__)
        refuse_empty(frame)
        target = target_column(raw)
        if not target.levels:
            raise LikelyError(f"the target {raw.name!r} is missing in every row: tell the class of some.")
        weight = row_weights(sample_weight, frame.n)
        label, rows, how = told_codes(target, raw), self._planned(frame, weight), self._how()
        self.__dict__.pop("curves_", None)
        if isinstance(self.components, str) and self.components == "auto":
            self.curves_ = self._curves(target, label, rows, how)
            numbers = tuple(curve.best for curve in self.curves_.values())
        else:
            numbers = _numbers(self.components, target.levels)
        self.components_ = dict(zip(target.levels, numbers, strict=True))
        self._keep(rows.search(target, how, label, _open_to(numbers), numbers))
        return self

    def _curves(self, target: Column, label: Ints, rows: PlannedTable, how: EMSearch) -> dict[Any, Curve]:
        """How many groups each class has, by its own rows.

        The bits of numbers of groups differ by far more than the last steps of EM gain.
        """
        curves = {}
        how = replace(how, tol=max(how.tol, ROUGH))
        for place, name in enumerate(target.levels or ()):
            weight = np.where(label == place, 1.0 if rows.weight is None else rows.weight, 0.0)
            if not weight.any():
                weight = np.ones(len(label))
            own = self._planned(rows.frame, weight).counted_rows()
            learnt = replace(own.record.settings, base_rate=None)  # one that is given is of classes
            own = replace(own, record=replace(own.record, settings=learnt))

            def fit(k: int, own: PlannedTable = own) -> EM[GroupRecord]:
                return own.search(Column.of_groups("group", range(k)), how)

            curves[name] = choose_groups(fit, own.frame, own.weight, self.criterion, how.engine)[1]
        return curves


def _numbers(components: object, classes: tuple[Any, ...]) -> tuple[int, ...]:
    """How many groups each class has."""
    if not isinstance(components, Mapping):
        return (whole_number(components),) * len(classes)
    for label in components:
        class_place(classes, label, "components names")
    left_out = [label for label in classes if label not in components]
    if left_out:
        raise LikelyError(f"components has no number for class {left_out[0]!r}: give one for every class.")
    return tuple(whole_number(components[label], f"components of {label!r}") for label in classes)


def _open_to(numbers: tuple[int, ...]) -> NDArray[np.bool_]:
    """Which groups each class leaves open, (c, g)."""
    return np.repeat(np.eye(len(numbers), dtype=bool), numbers, axis=1)
