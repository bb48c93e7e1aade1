"""What cross-validation found: the scores, and a yardstick beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.compare.scorecard import Scorecard
from likely.score.area import auc
from likely.score.estimate import Score
from likely.score.proper import accuracy, brier, log_loss

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, eq=False, repr=False)
class CrossValidation(Scorecard):
    """What cross-validation found. `print` it for the table; the scores are floats that know their error.

    `base_rate` has the same scores for the class shares alone, as a yardstick: a model that knows nothing of
    the row.
    """

    in_nats, yardstick_name, figures = "log loss", "base rate alone", ".3f"

    scores: Mapping[str, Score]  # by the name of the measure; without AUC if there is one class only
    base_rate: Mapping[str, Score]
    folds: int
    repeats: int
    classes: tuple[Any, ...]  # (g,)
    rows: Ints  # (n,), the rows that were tested: all but those of a class that has no other row
    probabilities: Floats  # (n, g), P(class) of each tested row, the mean over repeats

    @property
    def yardstick(self) -> Mapping[str, Score]:
        """The scores of the class shares alone."""
        return self.base_rate

    @property
    def log_loss(self) -> Score:
        """The mean of -log P(true class), in nats."""
        return self.scores["log loss"]

    @property
    def brier(self) -> Score:
        """The mean squared error of the probabilities."""
        return self.scores["Brier score"]

    @property
    def auc(self) -> Score | None:
        """The area under the ROC curve, each class against the rest; None if there is one class only."""
        return self.scores.get("AUC")

    @property
    def accuracy(self) -> Score:
        """The share of rows whose most probable class is the true one."""
        return self.scores["accuracy"]


def judged(codes: Ints, log_p: Floats, weight: Floats) -> dict[str, Score]:
    """All scores of some rows, from log P(class), (n, g); none for AUC where all are of one class."""
    p, more = np.exp(log_p), {"classes": np.arange(log_p.shape[1]), "weight": weight}
    return {
        "log loss": log_loss(codes, log_p, logs=True, **more),
        "Brier score": brier(codes, p, **more),
        **({"AUC": auc(codes, p, **more)} if len(np.unique(codes)) > 1 else {}),
        "accuracy": accuracy(codes, p, **more),
    }


def mean(scores: list[Score]) -> Score:
    """The mean over repeats. The rows stay the same, so the error does not become smaller."""
    n = len(scores)
    return Score(sum(map(float, scores)) / n, scores[0].n, sum(score.standard_error for score in scores) / n)
