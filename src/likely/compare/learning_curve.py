"""Models on growing samples: which of them learns faster, and which is better in the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.calibrate.classifier_scores import log_probabilities
from likely.compare.scores import judged
from likely.draw.histogram import plain_axes
from likely.errors import LikelyError
from likely.estimator.fitted import class_array, class_codes, split_target, target_column
from likely.format.words import many, table
from likely.table.build import to_table
from likely.table.frame import take, without

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

SIZES = 8  # points of a curve, if nobody says which
LEAST = 1e-12  # what a probability of 0 is taken for, so that a curve stays on the paper
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")  # told apart by the colour-blind


@dataclass(frozen=True, eq=False)
class LearningCurve:
    """Scores on rows that were left out, of models learnt from more and more rows; prints itself."""

    names: tuple[str, ...]  # (m,) of the models
    sizes: Ints  # (s,) rows learnt from
    log_loss: Floats  # (m, s) nats, the mean over the repeats
    error: Floats  # (m, s) share of wrong answers
    log_loss_spread: Floats  # (m, s) standard deviation over the repeats
    error_spread: Floats  # (m, s)
    repeats: int
    library: str = "numpy"

    def to_frame(self) -> Any:
        """One line a model and size."""
        m, s = self.log_loss.shape
        columns: dict[str, Any] = {
            "model": np.repeat(np.array(self.names, object), s),
            "rows": np.tile(self.sizes, m),
        }
        for name in ("log_loss", "log_loss_spread", "error", "error_spread"):
            columns[name.replace("_", " ")] = getattr(self, name).ravel()
        return to_table(columns, self.library)

    def __str__(self) -> str:
        head = ["rows", *(f"{name}: {what}" for name in self.names for what in ("log loss", "error"))]
        lines = [head]
        for at, size in enumerate(self.sizes):
            pairs = zip(self.log_loss[:, at], self.error[:, at], strict=True)
            lines.append([str(size), *(f"{value:.3f}" for pair in pairs for value in pair)])
        title = f"learning curves, the mean of {many(self.repeats, 'run')} on rows that were left out"
        return "\n".join([title, "", table(lines, ">" * len(head))])

    __repr__ = __str__

    def plot(self, ax: Axes | None = None, measure: str = "log loss") -> Axes:
        """The curves with a band of one standard deviation over the repeats; `measure` may be "error"."""
        if measure not in ("log loss", "error"):
            raise LikelyError(f"measure={measure!r}: give 'log loss' or 'error'.")
        values = self.log_loss if measure == "log loss" else self.error
        spreads = self.log_loss_spread if measure == "log loss" else self.error_spread
        ax = plain_axes("learning curves", "rows learnt from", measure, ax)
        for name, value, spread, colour in zip(
            self.names, values, spreads, _colours(len(values)), strict=True
        ):
            ax.plot(self.sizes, value, color=colour, marker="o", markersize=3, linewidth=1.6, label=name)
            ax.fill_between(self.sizes, value - spread, value + spread, color=colour, alpha=0.15, linewidth=0)
        ax.set_xscale("log")
        ax.legend(frameon=False)
        return ax


def learning_curve(
    models: Mapping[str, Any] | Sequence[Any],
    X: object,
    y: ArrayLike,
    *,
    sizes: Sequence[int] | None = None,
    repeats: int = 5,
    test_share: float = 0.3,
    seed: int = 0,
) -> LearningCurve:
    """Learn from more and more rows, and score on rows that are left out.

    In each repeat a share of the rows is set aside for scoring. The others are put in a random order in which
    every class is spread evenly, and each size learns from the first so many, all models from the same.

    Parameters
    ----------
    models : mapping of names to classifiers, or sequence of classifiers
        Of `likely`, or any of scikit-learn's kind with `predict_proba`. They are cloned, not changed.
    X : table
        Of any library that the models take.
    y : values, or name of a column of X
        The target.
    sizes : sequence of int, optional
        How many rows to learn from; by default eight sizes, each about the same factor larger.
    repeats : int
        How often.
    test_share : float
        The share of the rows that is set aside.
    seed : int
        Decides which rows go where.

    Examples
    --------
    >>> import likely
    >>> people = likely.read("titanic")
    >>> learning_curve({"generative": likely.NaiveBayes(), "conditional": likely.LogisticRegression()},
    ...                people, "survived", sizes=[50, 1000], repeats=3)
    learning curves, the mean of 3 runs on rows that were left out
    <BLANKLINE>
    rows  generative: log loss  generative: error  conditional: log loss  conditional: error
      50                 0.551              0.239                  0.546               0.237
    1000                 0.528              0.236                  0.512               0.236
    """
    frame, raw = split_target(X, y, "learning_curve")
    column = target_column(raw)
    codes, classes = class_codes(column, raw), class_array(column)
    X = without(X, raw.name) if isinstance(y, str | int) else X
    named = dict(models) if isinstance(models, Mapping) else {type(m).__name__: m for m in models}
    if not isinstance(models, Mapping) and len(named) < len(models):
        raise LikelyError("two models are of the same class: name them, as {'a': model, 'b': model}.")
    steps = _sizes(sizes, codes, len(classes), test_share)
    if not isinstance(repeats, int) or repeats < 1:
        raise LikelyError(f"repeats={repeats!r}: give a whole number of 1 or more.")
    rng = np.random.default_rng(seed)
    scores = np.empty((2, repeats, len(named), len(steps)))
    for at in range(repeats):
        order = _dealt(codes, rng)
        n_test = len(codes) - int((1 - test_share) * len(codes))
        test, rest = order[:n_test], order[n_test:]
        for i, model in enumerate(named.values()):
            for j, size in enumerate(steps):
                scores[:, at, i, j] = _scores(model, X, codes, classes, rest[:size], test)
    spread = scores.std(axis=1)
    mean = scores.mean(axis=1)
    return LearningCurve(
        tuple(map(str, named)), steps, mean[0], mean[1], spread[0], spread[1], repeats, frame.library
    )


def _colours(n: int) -> list[str]:
    return list(islice(cycle(COLOURS), n))


def _sizes(sizes: Sequence[int] | None, codes: Ints, g: int, test_share: float) -> Ints:
    if not 0 < test_share < 1:
        raise LikelyError(f"test_share={test_share!r}: give a share above 0 and below 1.")
    most = int((1 - test_share) * len(codes))
    if sizes is None:
        first = min(max(2 * g, 10), most)
        steps = (
            np.unique(np.geomspace(first, most, SIZES).astype(np.intp)) if most > 0 else np.zeros(0, np.intp)
        )
    else:
        steps = np.array(sorted(sizes), np.intp)
    if not len(steps) or steps[0] < g or steps[-1] > most:
        raise LikelyError(
            f"sizes={sizes!r}: learning needs a row of each of {g} classes, and {most} rows are left for it."
        )
    return steps


def _dealt(codes: Ints, rng: np.random.Generator) -> Ints:
    """The rows in a random order in which any stretch has about the classes of the whole."""
    shuffled = rng.permutation(len(codes))
    within = np.empty(len(codes))
    for code in np.unique(codes):
        mine = shuffled[codes[shuffled] == code]
        within[mine] = (np.arange(len(mine)) + rng.random()) / len(mine)
    return np.argsort(within, kind="stable")


def _scores(
    model: object, X: object, codes: Ints, classes: NDArray[Any], learnt: Ints, test: Ints
) -> tuple[float, float]:
    """Log loss and share of wrong answers of a model of some rows, on others."""
    from sklearn.base import clone

    fitted = clone(model).fit(take(X, learnt), classes[codes[learnt]])
    logs = np.maximum(log_probabilities(fitted, take(X, test), classes), np.log(LEAST))
    scores = judged(codes[test], logs, np.ones(len(test)))
    return float(scores["log loss"]), 1 - float(scores["accuracy"])
