"""The base rate of a batch without labels, by EM."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.calibrate.classifier_scores import log_probabilities
from likely.decide.reweighted import rates_of, rows_behind
from likely.dist.numeric.logs import log, special
from likely.errors import LikelyError, notice
from likely.estimator.classifier import AnyClassifier
from likely.infer import bayes_rule, em
from likely.score.estimate import Rate, known_level
from likely.stats.groups import Floats
from likely.table.build import to_table
from likely.table.read.into import library_for

HALVINGS = 30  # of the interval in which an end is looked for
ITERATIONS, TOLERANCE = 5000, 1e-9
DRIFT = 0.01  # a batch whose base rate is as far from that of training less often than this has drifted


def profile_interval(
    log_ratio: Floats, rates: Floats, place: int, best: float, level: float
) -> tuple[float, float]:
    """Where the share of a class may lie: all that make the rows not much less probable than the best.

    `log_ratio`, (n, g), is log P(row given class); `rates`, (g,), are the best weights, and `best` the log
    likelihood they give. The other weights are the best for each share that is tried.

    >>> log_ratio = log([[1.0, 0.0]] * 3 + [[0.0, 1.0]] * 7)  # the classes are seen
    >>> rates = np.array([0.3, 0.7])
    >>> best = float(bayes_rule(log_ratio + log(rates))[1].sum())
    >>> [round(end, 3) for end in profile_interval(log_ratio, rates, 0, best, 0.95)]
    [0.085, 0.607]
    """
    if len(rates) < 2:
        return 1.0, 1.0
    least = best - float(special("chdtri", 1, 1 - level)) / 2
    estimate = float(rates[place])
    others = np.delete(rates, place)
    others = others / others.sum() if others.sum() > 0 else np.full(len(others), 1 / len(others))

    def end(inside: float, outside: float) -> float:
        rest = others
        if _profile(log_ratio, place, outside, rest)[0] >= least:
            return outside
        for _ in range(HALVINGS):
            middle = (inside + outside) / 2
            log_likelihood, rest = _profile(log_ratio, place, middle, rest)
            inside, outside = (middle, outside) if log_likelihood >= least else (inside, middle)
        return inside

    return end(estimate, 0.0), end(estimate, 1.0)


def _profile(log_ratio: Floats, place: int, share: float, others: Floats) -> tuple[float, Floats]:
    """The log likelihood at a share of one class, and the best weights of the others among themselves."""

    def whole(rest: Floats) -> Floats:
        return np.insert((1 - share) * rest, place, share)

    if len(others) == 1 or share == 1:
        return float(bayes_rule(log_ratio + log(whole(others)))[1].sum()), others

    def e_step(rest: Floats) -> tuple[Floats, float]:
        log_posterior, log_evidence = bayes_rule(log_ratio + log(whole(rest)))
        if not np.isfinite(log_evidence).all():  # some row is of the one class alone
            return rest, -1e300
        mean = np.delete(np.exp(log_posterior).mean(axis=0), place)
        return (mean / mean.sum() if mean.sum() > 0 else rest), float(log_evidence.sum())

    begin = np.maximum(others, 1e-6)
    fitted = em(e_step, lambda rest: rest, begin / begin.sum(), max_iter=500, tol=1e-4)
    return fitted.objective, fitted.parameters


@dataclass(frozen=True, eq=False)
class BaseRates:
    """The estimated share of each class in a batch, with intervals, beside those of training.

    `rates` can be given to `with_base_rate`. `p_value` says how often a batch from the base rate of training
    would lie as far off.
    """

    rates: dict[Any, Rate]
    trained: dict[Any, float]
    n: int
    p_value: float

    @property
    def drifted(self) -> bool:
        """Whether the base rate is not that of training: it would look so by chance in 1 batch of 100."""
        return self.p_value < DRIFT

    def to_frame(self) -> Any:
        """A row for each class."""
        rates = list(self.rates.values())
        columns = {
            "class": np.array([str(label) for label in self.rates], object),
            "base_rate": np.array([float(rate) for rate in rates]),
            "low": np.array([rate.interval[0] for rate in rates]),
            "high": np.array([rate.interval[1] for rate in rates]),
            "trained": np.array(list(self.trained.values())),
        }
        return to_table(columns, library_for(None))

    def __repr__(self) -> str:
        lines = [
            f"{label}: {rate:.3f} ({rate.interval[0]:.3f} to {rate.interval[1]:.3f}), trained on "
            f"{self.trained[label]:.3f}"
            for label, rate in self.rates.items()
        ]
        return "\n".join([*lines, f"{self.n} rows; drifted: {self.drifted} (p = {self.p_value:.2g})"])


def estimate_base_rate(
    model: AnyClassifier,
    X: object,
    *,
    trained_on: Mapping[Any, float] | str | None = None,
    level: float = 0.95,
) -> BaseRates:
    """The base rate of rows whose classes are not known, from what a classifier says about them.

    If only the base rate has changed, the rows are a mixture of what the classes were in training, with new
    weights: EM finds them. The intervals are those of the profile likelihood, and take the model for
    right: calibrate it first. There is a notice if the base rate has drifted from that of training. That
    test is a likelihood ratio test. It knows that the model has learnt from so many rows, whose base rate is
    off by chance too; a base rate that is given with `trained_on`, and that of a model which does not
    tell its rows, is taken to be known.

    Parameters
    ----------
    model : fitted classifier
        One of `likely`, or any of scikit-learn's kind with `predict_proba`.
    X : table
        The rows.
    trained_on : mapping or None
        The base rate that is in the model's probabilities; None where the model knows it.
    level : float
        The probability that intervals cover.

    Examples
    --------
    >>> import likely, warnings
    >>> people = likely.read("titanic", into="pandas")
    >>> model = likely.NaiveBayes().fit(people, "survived")
    >>> women = people[people["sex"] == "female"].drop(columns="survived")
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     estimate = likely.estimate_base_rate(model, women)
    >>> estimate.drifted, "base rate" in str(said[0].message)
    (True, True)
    """
    old = rates_of(model, trained_on)
    classes = model.classes_
    log_p = log_probabilities(model, X, classes)
    n, g = log_p.shape
    known = old > 0
    # log P(row given class), up to a number for each row
    log_ratio = np.where(known, log_p - log(np.where(known, old, 1.0)), -np.inf)
    level = known_level(level)
    rates = _weights(log_ratio, old)
    best = float(bayes_rule(log_ratio + log(rates))[1].sum())
    far = 2 * (best - float(bayes_rule(log_ratio + log(old))[1].sum()))
    # What the model says of such rows on average is as uncertain as the base rate that it has learnt.
    far = max(far, 0.0) / (1 + n / rows_behind(model, trained_on))
    p_value = float(special("chdtrc", max(int(known.sum()) - 1, 1), far)) if g > 1 else 1.0
    estimates = {
        label: Rate(float(rates[place]), n, profile_interval(log_ratio, rates, place, best, level), level)
        for place, label in enumerate(classes.tolist())
    }
    answer = BaseRates(estimates, dict(zip(classes.tolist(), old.tolist(), strict=True)), n, p_value)
    if answer.drifted:
        most = max(estimates, key=lambda label: abs(estimates[label] - answer.trained[label]))
        notice(
            f"the base rate has drifted: class {most!r} has the share {estimates[most]:.3f} in these rows "
            f"and {answer.trained[most]:.3f} in training. with_base_rate makes a model for them."
        )
    return answer


def _weights(log_ratio: Floats, start: Floats) -> Floats:
    """The weights of the classes that make the rows most probable, by EM."""

    def e_step(weights: Floats) -> tuple[Floats, float]:
        log_posterior, log_evidence = bayes_rule(log_ratio + log(weights))
        if not np.isfinite(log_evidence).all():
            row = int(np.argmin(np.isfinite(log_evidence)))
            raise LikelyError(f"row {row} is impossible in every class: smooth the model with a prior.")
        return np.exp(log_posterior).mean(axis=0), float(log_evidence.sum())

    # Every class begins with a share: EM never finds one that it has once given up.
    begin = np.where(start > 0, np.maximum(start, 1e-3), 0.0)
    start = np.asarray(begin / begin.sum())
    return em(e_step, lambda mean: mean, start, max_iter=ITERATIONS, tol=TOLERANCE).parameters
