"""What cross-validation found: the scores with a yardstick beside them, as a table and as plain values."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from likely.draw import Estimate, forest
from likely.draw.axes import new_panels
from likely.draw.picture import Panels
from likely.format.html_table import html_table
from likely.format.words import figures, json_ready, many, table
from likely.score.area import auc
from likely.score.estimate import Score
from likely.score.proper import accuracy, brier, log_loss

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


FEW_ROWS = 10  # of which not even a standard error tells how sure a score is
BEYOND_WORDS = 100.0  # nats: a true outcome called less probable than 1e-43 on average; more says no more


class Scorecard:
    """What every cross-validation has: scores, each beside that of a yardstick. `print` it for the table."""

    in_nats: ClassVar[str]  # the score that is given in nats
    yardstick_name: ClassVar[str]
    figures: ClassVar[str]  # how scores are printed

    scores: Mapping[str, Score]
    folds: int
    repeats: int
    rows: NDArray[np.intp]

    @property
    @abstractmethod
    def yardstick(self) -> Mapping[str, Score]:
        """The same scores of a model that knows nothing of the row."""

    @staticmethod
    def error_text(score: Score) -> str:
        """The standard error as it is printed."""
        return score.error_text

    def _score_text(self, score: Score) -> str:
        """The score as it is printed: large ones with all digits before the point, and no power of ten."""
        text = f"{score:{self.figures}}"
        return figures(float(score)) if "e+" in text else text

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
                    self.yardstick_name: json_ready(float(self.yardstick[name])),
                }
                for name, score in self.scores.items()
            },
        }

    def lines(self) -> list[list[str]]:
        """Each score in words: its name, the estimate, its standard error and that of the yardstick."""
        lines = []
        for name, score in self.scores.items():
            unit = " (nats)" if name == self.in_nats else ""
            own, beside = (self._score_text(value) for value in (score, self.yardstick[name]))
            error = self.error_text(score)
            if name == "log loss" and score > BEYOND_WORDS:
                own, error = f"over {BEYOND_WORDS:g}", "-"
            lines.append([name + unit, own, error, beside])
        return lines

    @property
    def worse_than_yardstick(self) -> bool:
        """Whether the model predicts worse than what knows nothing of the row, by the score in nats."""
        return float(self.scores[self.in_nats]) > float(self.yardstick[self.in_nats])

    @property
    def level_with_yardstick(self) -> bool:
        """Whether the two lie no farther apart than the standard error of the model's score tells.

        Of a handful of rows it tells nothing: two that are alike have the error 0.
        """
        score = self.scores[self.in_nats]
        apart = abs(float(score) - float(self.yardstick[self.in_nats]))
        return bool(apart <= score.standard_error) or len(self.rows) < FEW_ROWS

    def __str__(self) -> str:
        return "\n".join([self._title, "", table([self._heads, *self.lines()], "<>>>")])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(self._title, self._heads, self.lines(), (), "<>>>")

    @property
    def _heads(self) -> list[str]:
        return ["", "estimate", "standard error", self.yardstick_name]

    @property
    def _title(self) -> str:
        times = "" if self.repeats == 1 else f" {self.repeats} times"
        return f"{self.folds}-fold cross-validation{times}, {many(len(self.rows), 'row')}"

    def plot(self) -> Panels:
        """Each score in a panel of its own: a dot, two standard errors either way, and the yardstick."""
        panels = Panels(new_panels(6.2, 0.85 * len(self.scores) + 0.3, len(self.scores), 1)[:, 0])
        legend = f"{self._title}\ndot: estimate ± 2 standard errors; diamond: {self.yardstick_name}"
        for ax, (name, *_), (of, score) in zip(panels, self.lines(), self.scores.items(), strict=True):
            reach = 2 * score.standard_error
            ends = float(score) - reach, float(score) + reach
            row = Estimate(name, float(score), *ends, beside=float(self.yardstick[of]))
            forest([row], title=legend if ax is panels[0] else "", xlabel="", ax=ax)
        return panels


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
