"""What cross-validation found: the scores, and a yardstick beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.evidence.words import json_ready, many, table
from likely.score.area import auc
from likely.score.estimate import Score
from likely.score.proper import accuracy, brier, log_loss

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """What cross-validation found. `print` it for the table; the scores are floats that know their error.

    `base_rate` has the same scores for the class shares alone, as a yardstick: a model that knows nothing of
    the row.
    """

    scores: Mapping[str, Score]  # by the name of the measure; without AUC if there is one class only
    base_rate: Mapping[str, Score]
    folds: int
    repeats: int
    classes: tuple[Any, ...]  # (g,)
    rows: Ints  # (n,), the rows that were tested: all but those of a class that has no other row
    probabilities: Floats  # (n, g), P(class) of each tested row, the mean over repeats

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

    def to_dict(self) -> dict[str, Any]:
        """The scores in plain Python, ready for JSON."""
        return {
            "folds": self.folds,
            "repeats": self.repeats,
            "rows": len(self.rows),
            "scores": {
                name: {
                    "estimate": json_ready(float(score)),
                    "standard error": json_ready(score.standard_error),
                    "base rate alone": json_ready(float(self.base_rate[name])),
                }
                for name, score in self.scores.items()
            },
        }

    def __str__(self) -> str:
        lines = [["", "estimate", "standard error", "base rate alone"]]
        for name, score in self.scores.items():
            unit = " (nats)" if name == "log loss" else ""
            lines.append([name + unit, f"{score:.3f}", score.error_text, f"{self.base_rate[name]:.3f}"])
        times = "" if self.repeats == 1 else f" {self.repeats} times"
        title = f"{self.folds}-fold cross-validation{times}, {many(len(self.rows), 'row')}"
        return "\n".join([title, "", table(lines, "<>>>")])

    __repr__ = __str__


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
