"""How close a classifier comes to the best there is, in a world that is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.compare.synthetic import Floats
from likely.errors import LikelyError
from likely.score.estimate import Score, mean_score
from likely.table.rows import without


@dataclass(frozen=True)
class Yardstick:
    """The risk of a classifier beside the lowest there is; `excess` is their difference on the same rows."""

    bayes_risk: Score
    risk: Score
    excess: Score
    learnt_from: int  # rows

    def to_dict(self) -> dict[str, Any]:
        """The numbers in plain Python, ready for JSON."""
        named = {"bayes_risk": self.bayes_risk, "risk": self.risk, "excess": self.excess}
        numbers = {
            name: {"estimate": float(s), "standard error": s.standard_error} for name, s in named.items()
        }
        return {"learnt_from": self.learnt_from, **numbers}

    def __repr__(self) -> str:
        return (
            f"learnt from {self.learnt_from} rows: risk {self.risk:.4f} ± {self.risk.error_text}, "
            f"Bayes risk {self.bayes_risk:.4f}, excess {self.excess:.4f} ± {self.excess.error_text}"
        )


def yardstick(
    model: Any,
    truth: Any,
    *,
    rows: int = 1000,
    test: int = 20_000,
    random_state: int | np.random.Generator | None = 0,
) -> Yardstick:
    """Let a classifier learn from rows of a known world, and see how far its risk is from the Bayes risk.

    Whether a decision is right is not left to chance: a test row counts with the true probability that the
    called class is wrong. So the excess of each row is known, and never negative.

    Parameters
    ----------
    model : classifier
        It is cloned, not changed.
    truth : Known, or a fitted model of `likely`
        What rows are drawn from.
    rows, test : int
        How many to learn from, and to test.
    random_state : int, Generator or None
        The seed.

    Examples
    --------
    >>> from likely import NaiveBayes, Normal
    >>> from likely.compare import Known, yardstick
    >>> world = Known({"a": {"x": Normal(0, 1)}, "b": {"x": Normal(2, 1)}})
    >>> yardstick(NaiveBayes(families="classical"), world, rows=100)
    learnt from 100 rows: risk 0.1631 ± 0.001, Bayes risk 0.1587, excess 0.0046 ± 0.000
    """
    from sklearn.base import clone

    for name, number in (("rows", rows), ("test", test)):
        if not isinstance(number, int | np.integer) or number < 1:
            raise LikelyError(f"{name}={number!r}: give a number of rows of 1 or more.")
    rng = np.random.default_rng(random_state)
    target = truth.target if hasattr(truth, "target") else truth.record_.target.name
    drawn, new = truth.sample(rows, rng), truth.sample(test, rng)
    features = without(new, target)
    fitted = clone(model).fit(without(drawn, target), drawn[target])
    chances: Floats = truth.predict_proba(features)
    place = {label: i for i, label in enumerate(truth.classes_.tolist())}
    called = np.array([place[label] for label in np.asarray(fitted.predict(features)).tolist()])
    best, right = chances.max(axis=1), chances[np.arange(test), called]
    each = np.ones(test)
    exact = truth.bayes_risk() if hasattr(truth, "bayes_risk") else mean_score(1 - best, each)
    return Yardstick(exact, mean_score(1 - right, each), mean_score(best - right, each), rows)
