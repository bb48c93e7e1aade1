"""Worlds that are known, to draw rows from; and how close a classifier comes to the best there is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.ask.truncated_mixture import integrate
from likely.dist.distribution import Distribution, without_missing
from likely.dist.numeric.logs import log
from likely.dist.univariate import Univariate
from likely.errors import LikelyError
from likely.estimator.classifier import ByProbability
from likely.estimator.fitted import generator
from likely.infer import bayes_rule
from likely.models.groups.tally import Settings, base_rates
from likely.score.estimate import Score, mean_score
from likely.table.build import to_table
from likely.table.frame import without
from likely.table.read.into import library_for

Floats = NDArray[np.float64]

TAIL = 1e-13  # of each class, beyond which the line is left out of the exact risk
STEPS = 400


class Known(ByProbability):
    """Classes whose columns are independent and have known distributions.

    It predicts as any classifier does, and no other can do better on its rows: it is Bayes-optimal.

    Parameters
    ----------
    parts : mapping
        For each class, the distribution of each column by name: {"a": {"x": Normal(0, 1)}, ...}.
    base_rate : mapping or "uniform"
        The class probabilities.
    target : str
        The name that the class has in rows that are drawn.

    Examples
    --------
    >>> from likely import Normal
    >>> world = Known({"a": {"x": Normal(0, 1)}, "b": {"x": Normal(2, 1)}})
    >>> round(world.bayes_risk(), 4), world.predict_proba({"x": [1.0]})
    (0.1587, array([[0.5, 0.5]]))
    """

    def __init__(
        self,
        parts: Mapping[Any, Mapping[str, Distribution]],
        base_rate: Mapping[Any, float] | str = "uniform",
        target: str = "class",
    ) -> None:
        if not parts:
            raise LikelyError("parts={}: name a class, with a distribution for each of its columns.")
        self.parts = {label: dict(columns) for label, columns in parts.items()}
        self.target = target
        self.columns = tuple(next(iter(self.parts.values())))
        for label, columns in self.parts.items():
            if set(columns) != set(self.columns) or not columns or target in columns:
                raise LikelyError(
                    f"class {label!r} has the columns {list(columns)!r}: every class needs the same, "
                    f"one at least, and none of the name {target!r}."
                )
            for name, part in columns.items():
                if not isinstance(part, Distribution) or part.batch:
                    raise LikelyError(f"column {name!r} of class {label!r}: give one distribution.")
        classes = tuple(self.parts)
        self.classes_ = np.array(classes, object if isinstance(classes[0], str) else None)
        self.base_rate_ = base_rates(classes, np.ones(len(classes)), Settings(base_rate=base_rate))

    def sample(self, n: int = 1, random_state: int | np.random.Generator | None = None) -> Any:
        """Draw n rows, with their class, as a table of the first library that is installed."""
        rng = generator(n, random_state)
        codes = rng.choice(len(self.classes_), n, p=self.base_rate_)
        counts = np.bincount(codes, minlength=len(self.classes_)).tolist()
        drawn = [
            {name: columns[name].sample(count, rng) for name in self.columns}
            for columns, count in zip(self.parts.values(), counts, strict=True)
        ]
        places = np.argsort(codes, kind="stable")  # of the rows class by class
        table = {name: _in_order([rows[name] for rows in drawn], places) for name in self.columns}
        return to_table({**table, self.target: self.classes_[codes]}, library_for(None))

    def predict_log_proba(self, X: Any) -> Floats:
        """Log P(class given row), (n, g), exactly."""
        log_joint = np.column_stack(
            [
                sum(without_missing(np.atleast_1d(part.log_prob(X[name]))) for name, part in columns.items())
                for columns in self.parts.values()
            ]
        )
        log_posterior, log_evidence = bayes_rule(log_joint + log(self.base_rate_))
        log_posterior[np.isneginf(log_evidence)] = log(self.base_rate_)
        return log_posterior

    def bayes_risk(self, n: int = 100_000, random_state: int | np.random.Generator | None = 0) -> Score:
        """The share of rows that the best of all classifiers gets wrong.

        With one column of numbers it is integrated, and has no error. Otherwise it is the mean of 1 - P(most
        probable class) over n rows that are drawn.
        """
        if len(self.columns) == 1 and all(self._smooth()):
            return Score(self._integrated(), 0, 0.0)
        risk = 1 - self.predict_proba(self.sample(n, random_state)).max(axis=1)
        return mean_score(risk, np.ones(n))

    def _smooth(self) -> list[bool]:
        parts = [columns[self.columns[0]] for columns in self.parts.values()]
        return [isinstance(part, Univariate) and not part.whole for part in parts]

    def _integrated(self) -> float:
        """The integral of the joint density of all classes but the most probable."""
        name = self.columns[0]
        parts: list[Any] = [columns[name] for columns in self.parts.values()]
        ends = [float(part.quantile(q)) for part in parts for q in (TAIL, 1 - TAIL)]
        breaks = np.unique([*np.linspace(min(ends), max(ends), STEPS), *ends])

        def lost(x: Floats) -> Floats:
            joint = np.stack([rate * part.prob(x) for rate, part in zip(self.base_rate_, parts, strict=True)])
            return np.asarray(joint.sum(axis=0) - joint.max(axis=0))

        return integrate(lost, breaks)


def _in_order(pieces: list[NDArray[Any]], places: NDArray[np.intp]) -> NDArray[Any]:
    """Values piece by piece, each put where it belongs: numbers as numbers, names of levels as objects.

    >>> _in_order([np.array(["a"]), np.array(["long", "b"])], np.array([1, 0, 2]))
    array(['long', 'a', 'b'], dtype=object)
    """
    plain = all(piece.dtype.kind in "biuf" for piece in pieces)
    values = np.concatenate(pieces if plain else [piece.astype(object) for piece in pieces])
    out = np.empty_like(values)
    out[places] = values
    return out


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
