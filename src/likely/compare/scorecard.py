"""The scores that cross-validation found, as a table for people and as plain values."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from likely.format.words import json_ready, many, table
from likely.score.estimate import Score

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
            own, beside = (f"{value:{self.figures}}" for value in (score, self.yardstick[name]))
            error = self.error_text(score)
            if name == "log loss" and score > BEYOND_WORDS:
                own, error = f"over {BEYOND_WORDS:g}", "-"
            lines.append([name + unit, own, error, beside])
        return lines

    @property
    def worse_than_yardstick(self) -> bool:
        """Whether the model predicts worse than what knows nothing of the row, by the score in nats."""
        return float(self.scores[self.in_nats]) > float(self.yardstick[self.in_nats])

    def __str__(self) -> str:
        lines = [["", "estimate", "standard error", self.yardstick_name], *self.lines()]
        times = "" if self.repeats == 1 else f" {self.repeats} times"
        title = f"{self.folds}-fold cross-validation{times}, {many(len(self.rows), 'row')}"
        return "\n".join([title, "", table(lines, "<>>>")])

    __repr__ = __str__
