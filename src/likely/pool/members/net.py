"""The net member: two small hidden layers beside a linear one, one net a fold, stopped at one common time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from likely.infer.bayes import bayes_rule
from likely.pool.members.space import RowSpace
from likely.pool.reading.reading import View
from likely.pool.reading.rows import TaughtRows

Singles = NDArray[np.float32]
Floats = NDArray[np.float64]
F = TypeVar("F", np.float32, np.float64)

HIDDEN = 32
RATE = 0.01
DECAY = 0.02  # of weights, a step at full rate
STEPS = 1200  # at most
PATIENCE = 6  # looks at held-out rows without improvement
MEMORY = 0.98  # of the average of weights


@dataclass(frozen=True)
class NetMember:
    """The weights of the nets of all folds."""

    space: RowSpace
    into: Singles  # (folds, q, h)
    across: Singles  # (folds, h, h)
    out: Singles  # (folds, h, t)
    beside: Singles  # (folds, q, t), straight from the columns to the scores
    constants: tuple[Singles, ...]  # (folds, 1, h), (folds, 1, h), (folds, 1, t)
    steps: int

    @classmethod
    def fit(cls, rows: TaughtRows) -> tuple[NetMember, Floats]:
        """The member, and scores of the rows by the nets that had not seen them."""
        space = RowSpace.learn(rows.reading)
        x = space.place(rows.view).astype(np.float32)
        weights, steps, scores = _Training(x, rows).run()
        into, across, out, beside, *constants = weights
        return cls(space, into, across, out, beside, tuple(constants), steps), scores

    def scores(self, view: View) -> Floats:
        """Of each row, (n, t): the mean over the folds."""
        return np.asarray(self.by_fold(view).mean(axis=0))

    def by_fold(self, view: View) -> Floats:
        """By the nets of the folds, (folds, n, t)."""
        x = self.space.place(view)
        parts = (self.into, self.across, self.out, self.beside, *self.constants)
        return _forward(x[None], [part.astype(np.float64) for part in parts])[2]


def _forward(x: NDArray[F], weights: list[NDArray[F]]) -> tuple[NDArray[F], NDArray[F], NDArray[F]]:
    """Both hidden layers and the scores of x, (folds or 1, b, q)."""
    into, across, out, beside, one, two, last = weights
    first = np.maximum(x @ into + one, 0)
    second = np.maximum(first @ across + two, 0)
    return first, second, second @ out + x @ beside + last


class _Training:
    """Adam, with rates that fall, on batches of all folds side by side; weights are averaged."""

    def __init__(self, x: Singles, rows: TaughtRows) -> None:
        self.x, self.rows = x, rows
        self.rng = np.random.default_rng(rows.seed)
        folds, q, t = rows.folds, x.shape[1], rows.goal.n_scores
        rng = self.rng
        last = rows.goal.start(rows.used)[:folds, None].astype(np.float32)
        self.weights = [
            (rng.standard_normal((folds, q, HIDDEN)) / np.sqrt(q)).astype(np.float32),
            (rng.standard_normal((folds, HIDDEN, HIDDEN)) / np.sqrt(HIDDEN / 2)).astype(np.float32),
            np.zeros((folds, HIDDEN, t), np.float32),
            np.zeros((folds, q, t), np.float32),
            np.zeros((folds, 1, HIDDEN), np.float32),
            np.zeros((folds, 1, HIDDEN), np.float32),
            last,
        ]
        self.truth = rows.goal.truth.astype(np.float32)
        self.inside = [np.flatnonzero(rows.fold != f) for f in range(folds)]
        self.held = [np.flatnonzero(rows.fold == f) for f in range(folds)]
        self.size = min(len(own) for own in self.inside)
        self.batch = min(int(np.clip(rows.n / 12, 16, 128)), self.size)

    def run(self) -> tuple[list[Singles], int, Floats]:
        """Weights at the step whose scores of held-out rows were best, the step, and these scores."""
        w, rows = self.weights, self.rows
        average = [one.copy() for one in w]
        mean, square = [np.zeros_like(one) for one in w], [np.zeros_like(one) for one in w]
        look = max(10, self.size // self.batch)
        scores = self._held_out(average)
        best = rows.loss(scores), [a.copy() for a in average], 0, scores
        order, waited = self._orders(), 0
        per_epoch = max(1, self.size // self.batch)
        for step in range(1, STEPS + 1):
            place = (step - 1) % per_epoch
            if place == 0 and step > 1:
                order = self._orders()
            take = order[:, place * self.batch : (place + 1) * self.batch]
            gradient = self._gradient(take)
            rate = RATE * min(1.0, step / 20) * (0.5 + 0.5 * np.cos(np.pi * min(step / STEPS, 1.0)))
            for i, g in enumerate(gradient):
                mean[i] += 0.1 * (g - mean[i])
                square[i] += 0.01 * (g * g - square[i])
                change = mean[i] / (1 - 0.9**step) / (np.sqrt(square[i] / (1 - 0.99**step)) + 1e-6)
                if i < 4:
                    change = change + DECAY * w[i]
                w[i] -= np.float32(rate) * change
                average[i] += np.float32(1 - min(MEMORY, step / (step + 10))) * (w[i] - average[i])
            if step % look == 0:
                scores = self._held_out(average)
                loss = rows.loss(scores)
                waited = 0 if loss < best[0] else waited + 1
                if loss < best[0]:
                    best = loss, [a.copy() for a in average], step, scores
                if waited == PATIENCE:
                    break
        return best[1], best[2], best[3]

    def _orders(self) -> NDArray[np.intp]:
        """The rows of each fold in a new order, (folds, size)."""
        return np.stack([self.rng.permutation(own)[: self.size] for own in self.inside])

    def _gradient(self, take: NDArray[np.intp]) -> list[Singles]:
        x, w = self.x[take], self.weights
        first, second, scores = _forward(x, w)
        p = scores if self.rows.is_number else _probabilities(scores)
        weight = self.rows.weight[take].astype(np.float32)
        slope = (p - self.truth[take]) * (weight / max(float(weight.mean()), 1e-12) / take.shape[1])[
            ..., None
        ]
        turned = x.transpose(0, 2, 1)
        back = (slope @ w[2].transpose(0, 2, 1)) * (second > 0)
        deep = (back @ w[1].transpose(0, 2, 1)) * (first > 0)
        return [
            turned @ deep,
            first.transpose(0, 2, 1) @ back,
            second.transpose(0, 2, 1) @ slope,
            turned @ slope,
            deep.sum(axis=1, keepdims=True),
            back.sum(axis=1, keepdims=True),
            slope.sum(axis=1, keepdims=True),
        ]

    def _held_out(self, weights: list[Singles]) -> Floats:
        out = np.empty((self.rows.n, self.truth.shape[1]))
        for f, own in enumerate(self.held):
            out[own] = _forward(self.x[own], [one[f] for one in weights])[2]
        return out


def _probabilities(scores: Singles) -> Singles:
    if scores.shape[-1] == 1:
        return np.asarray(1 / (1 + np.exp(-np.clip(scores, -30, 30))), np.float32)
    flat = scores.reshape(-1, scores.shape[-1]).astype(np.float64)
    return bayes_rule(flat, log=False)[0].astype(np.float32).reshape(scores.shape)
