"""A model that is not in the library: the share of each class in each level of one column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from likely.errors import LikelyError
from likely.estimator.check_column import demand
from likely.estimator.classifier import ByProbability
from likely.estimator.exported import Exportable
from likely.estimator.fitted import FittedModel, class_array, class_codes, split_target, target_column
from likely.estimator.model_rows import Command, Learnt, Model
from likely.estimator.paged import Paged
from likely.estimator.record import Described, Quantities, Story
from likely.export.form import ScoringForm
from likely.table.column.column import Column
from likely.table.schema import Schema


@dataclass(frozen=True)
class ShareRecord:
    """The weight of each class."""

    schema: Schema
    target: Column
    class_counts: np.ndarray

    @property
    def target_name(self) -> str:
        return str(self.target.name)

    @property
    def classes(self) -> tuple[Any, ...]:
        return self.target.levels or ()

    @property
    def group_names(self) -> tuple[Any, ...]:
        return self.classes

    @property
    def n(self) -> float:
        return float(self.class_counts.sum())

    @property
    def n_parameters(self) -> int:
        return len(self.class_counts) - 1

    @property
    def log_evidence(self) -> float | None:
        return None

    @property
    def families(self) -> Mapping[str, str]:
        return {}

    def counts(self) -> Mapping[Described, Quantities]:
        return {("",): Quantities(["rows"], self.class_counts[:, None])}

    def parameters(self) -> Mapping[Described, Quantities]:
        return {("",): Quantities(["share"], (self.class_counts / self.n)[:, None])}

    def check(self) -> None:
        demand(self.class_counts.shape == (len(self.classes),), "it does not count every class")

    def world(self) -> Any:
        raise LikelyError("a toy knows nothing of its columns: ask another model.")

    def story(self, model: str, hidden: bool = False) -> Story:
        return Story(model, ("Draw the class.",), "P(class).", "Where columns say nothing.")

    def scoring_form(self, texts: bool = True) -> ScoringForm:
        """The base rate, and no term of any column."""
        return ScoringForm(self.target_name, self.classes, (), np.log(self.class_counts / self.n), ())

    def trained_on(self) -> dict[str, Any]:
        return {"target": self.target_name, "weight_of_rows": self.n}


class ToyShares(Exportable, Paged, ByProbability, FittedModel, ClassifierMixin, BaseEstimator):
    """Every row gets the share of each class."""

    def __init__(self, kinds: Any = None, prior: Any = "default", missing: str = "ignore") -> None:
        self.kinds = kinds
        self.prior = prior
        self.missing = missing

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        frame, raw = split_target(X, y, type(self).__name__)
        target = target_column(raw)
        codes = class_codes(target, raw)
        counts = np.bincount(codes, sample_weight, len(target.levels or ())).astype(float)
        self._take(ShareRecord(Schema.learn(frame, self.kinds, False), target, counts))
        return self

    def _take(self, record: ShareRecord, estimate: bool = True) -> None:
        super()._take(record, estimate)
        self.classes_ = class_array(record.target)

    def predict_log_proba(self, X: Any) -> Any:
        record = self._known()
        return np.tile(np.log(record.class_counts / record.n), (self._frame(X).n, 1))


ROW = Model(
    name="ToyShares",
    module=__name__,
    learnt=Learnt(f"{__name__}:ShareRecord"),
    purpose="the share of each class",
    page="index.md",
    command=Command("toy-shares", families=False),
)
