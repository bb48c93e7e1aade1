"""What members are fitted for: the classes of rows, or a number; and what a wrong score costs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from likely.pool.reading.scores import log_probabilities, n_scores

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


class Goal(Protocol):
    """What is so in each row, and the loss of scores, (..., t), that were said of it."""

    @property
    def n_scores(self) -> int:
        """Scores of a row: one of a number or of two classes, else one a class."""

    @property
    def curve(self) -> float:
        """How the loss of a row curves in its scores, about, where nothing is known."""

    @property
    def truth(self) -> Floats:
        """What is so, (n, t): the number; or 1 in the score of a row's class, else 0."""

    def at(self, rows: Any) -> Goal:
        """Of some rows."""

    def start(self, used: Floats) -> Floats:
        """The best scores if nothing but these weights of rows, (n, tasks), is known: (tasks, t)."""

    def losses(self, scores: Floats) -> Floats:
        """The loss of each row, (n,), of scores (n, t)."""

    def descent(self, scores: Floats, used: Floats) -> tuple[float, Floats]:
        """The loss of scores (n, tasks, t), weighed and summed, and its slope in each."""

    def slopes(self, scores: Floats) -> tuple[Floats, Floats]:
        """How the loss of each row rises with each of its scores, (..., n, t), and how it curves there."""


def mean_loss(goal: Goal, scores: Floats, weight: Floats) -> float:
    """The mean loss of scores (n, t) of weighed rows."""
    return float(weight @ goal.losses(scores) / weight.sum())


@dataclass(frozen=True)
class ClassGoal:
    """Classes: scores are log-odds, and the loss is -log P(what was so)."""

    codes: Ints  # (n,)
    n_classes: int

    @property
    def n_scores(self) -> int:
        """One of two classes, else one a class."""
        return n_scores(self.n_classes)

    @property
    def curve(self) -> float:
        """The mean of p (1 - p) over the classes."""
        count = np.bincount(self.codes, minlength=self.n_classes) + 0.5
        share = count / count.sum()
        return float((share * (1 - share)).sum()) / self.n_classes

    @cached_property
    def truth(self) -> Floats:
        """1 in the score of a row's class, else 0."""
        out = np.zeros((len(self.codes), self.n_classes))
        out[np.arange(len(self.codes)), self.codes] = 1.0
        return out[:, -self.n_scores :]

    def at(self, rows: Any) -> ClassGoal:
        """Of some rows."""
        return ClassGoal(self.codes[rows], self.n_classes)

    def start(self, used: Floats) -> Floats:
        """The log shares of classes, with half a row shared out among all: none is impossible."""
        counts = np.array([np.bincount(self.codes, own, self.n_classes) for own in used.T])
        log_share = np.log(counts + 0.5 / self.n_classes)
        log_share -= np.log(counts.sum(axis=1, keepdims=True) + 0.5)
        return log_share[:, 1:] - log_share[:, :1] if self.n_scores == 1 else log_share

    def losses(self, scores: Floats) -> Floats:
        """The log loss."""
        return np.asarray(-log_probabilities(scores)[np.arange(len(self.codes)), self.codes])

    def descent(self, scores: Floats, used: Floats) -> tuple[float, Floats]:
        """By the softmax."""
        truth = self.truth
        if scores.shape[-1] == 1:
            s = scores[..., 0]
            p = 1.0 / (1.0 + np.exp(-np.abs(s)))
            value = float((used * (-np.log(p) + np.maximum(s, 0.0) - truth * s)).sum())
            return value, (used * (np.where(s >= 0, p, 1 - p) - truth))[..., None]
        log_p = log_probabilities(scores)
        value = float(-(used * np.einsum("nft,nt->nf", log_p, truth)).sum())
        slope = np.exp(log_p)
        slope -= truth[:, None]
        slope *= used[..., None]
        return value, slope

    def slopes(self, scores: Floats) -> tuple[Floats, Floats]:
        """By the softmax. What the scores of several classes share is of no account: each curves more."""
        t = scores.shape[-1]
        p = np.exp(log_probabilities(scores))[..., -t:]
        return p - self.truth, p * (1.0 - p) * (t / (t - 1.0) if t > 1 else 1.0)


@dataclass(frozen=True)
class NumberGoal:
    """A number in units of its spread: the score is what is expected, the loss half the squared error."""

    values: Floats  # (n,)

    n_scores = 1
    curve = 1.0

    @property
    def truth(self) -> Floats:
        """The numbers, (n, 1)."""
        return self.values[:, None]

    def at(self, rows: Any) -> NumberGoal:
        """Of some rows."""
        return NumberGoal(self.values[rows])

    def start(self, used: Floats) -> Floats:
        """The means."""
        return np.asarray((self.values @ used) / np.maximum(used.sum(axis=0), 1e-300))[:, None]

    def losses(self, scores: Floats) -> Floats:
        """Half the squared error."""
        return 0.5 * np.square(scores[:, 0] - self.values)

    def descent(self, scores: Floats, used: Floats) -> tuple[float, Floats]:
        """By squares."""
        apart = scores - self.values[:, None, None]
        slope = used[..., None] * apart
        return 0.5 * float((slope * apart).sum()), slope

    def slopes(self, scores: Floats) -> tuple[Floats, Floats]:
        """By squares."""
        return scores - self.truth, np.ones_like(scores)
