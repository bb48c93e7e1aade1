"""The base rate of a batch without labels, by EM."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.calibrate.classifier_scores import log_probabilities
from likely.decide.profile import profile_interval
from likely.decide.rates import rates_of, rows_behind
from likely.dist.numeric.logs import log, special
from likely.errors import LikelyError, notice
from likely.estimator.classifier import AnyClassifier
from likely.infer import bayes_rule, em
from likely.score.rate import Rate, known_level
from likely.stats.groups import Floats
from likely.table.build import to_table
from likely.table.read.into import library_for

ITERATIONS, TOLERANCE = 5000, 1e-9
DRIFT = 0.01  # a batch whose base rate is as far from that of training less often than this has drifted


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
