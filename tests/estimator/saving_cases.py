"""Fitted models of every kind: each must come back from its file the same to the last bit.

A new model joins with one more case.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from scipy.sparse import csr_array
from sklearn.base import clone

import likely


@dataclass(frozen=True)
class Case:
    """How to fit the model, and rows that it can be asked about and learn more from."""

    name: str
    fit: Callable[[], Any]
    X: Any
    y: Any
    adds: bool = True  # whether it goes on learning and can be added to another
    answers: Callable[[Any, Any], Any] = lambda model, X: model.predict_log_proba(X)


CASES: list[Case] = []
# Those whose record is another than that of the generative models, or that hold other estimators.
OTHERS: list[Case] = []


def _case(name: str, X: Any, y: Any, after: Callable[[Any], Any] = lambda m: m, **parameters: Any) -> None:
    CASES.append(
        Case(
            name,
            lambda: after(
                likely.NaiveBayes(**{"families": "classical", "evidence_weights": None, **parameters}).fit(
                    X, y
                )
            ),
            X,
            y,
        )
    )


_RNG = np.random.default_rng(20)
_N = 60
_Y = np.array(["no", "yes", "perhaps"])[np.arange(_N) % 3]
_SHIFT = (np.arange(_N) % 3).astype(float)
_NUMBERS = pd.DataFrame(
    {"height": _RNG.normal(170 + 5 * _SHIFT, 7), "weight": _RNG.normal(70, 1e-3, _N), "big": 1e9 + _SHIFT}
)
_COUNTS = pd.DataFrame({"visits": _RNG.poisson(3 + _SHIFT), "calls": _RNG.poisson(1.5, _N)})
_LEVELS = pd.DataFrame(
    {
        "colour": _RNG.choice(["red", "green", "größe 😀", ""], _N),
        "size": _RNG.choice([1, 2, 40], _N),
        "wet": _RNG.choice([True, False], _N),
    }
)
_EXTREMES = {"share": _RNG.choice([0.1, -0.0, 1e300, np.inf], _N), "far": _RNG.choice([2**63, -5, 2**70], _N)}
_GAPS = pd.DataFrame(
    {
        "age": np.where(_RNG.random(_N) < 0.3, np.nan, _RNG.normal(40, 9, _N)),
        "town": _RNG.choice(np.array(["a", "b", None], object), _N),
        "nothing": np.full(_N, np.nan),
    }
)
_TEXTS = pd.DataFrame(
    {
        "title": _RNG.choice(["win money now", "meeting at noon", "free free money", "see you", None], _N),
        "body": [" ".join(_RNG.choice(list("abcdefgh"), 12)) for _ in range(_N)],
        "length": _RNG.normal(10, 2, _N),
    }
)
_DAYS = [date(2024, 2, 29) + timedelta(days=int(i)) for i in _RNG.integers(0, 4, _N)]
_TIMES = {
    "day": _DAYS,
    "moment": [datetime(2024, 1, 1, 12, i % 4, 3, 250, tzinfo=UTC) for i in range(_N)],
    "local": [datetime(2024, 1, 1, i % 5) for i in range(_N)],
    "clock": [time(i % 3, 30, 0, 7) for i in range(_N)],
    "lasts": [timedelta(days=-1, microseconds=i % 3) for i in range(_N)],
}
_ZONED = pd.DataFrame(
    {
        "at": pd.date_range("2024-03-31", periods=_N, freq="h", tz="Europe/Berlin"),
        "group": pd.Categorical(np.array(list("abc"))[np.arange(_N) % 3], list("cbad"), ordered=True),
        "whole": pd.Series(_RNG.integers(0, 5, _N), dtype="Int64").mask(_RNG.random(_N) < 0.2),
    }
)
_UNNAMED = _RNG.normal(size=(_N, 12)) + _SHIFT[:, None]
_DIGITS = _RNG.integers(0, 4, (_N, 30))

for _family in ("normal", "uniform", "histogram", "kernel", "multivariate_normal"):
    _case(f"family-{_family}", _NUMBERS, _Y, families=_family)
for _family in ("poisson", "binomial", "multinomial", "histogram"):
    _case(f"family-{_family}-of-counts", _COUNTS, _Y, families=_family, kinds="count")
_case(
    "multinomial-with-gaps",
    _COUNTS.where(_RNG.random(_COUNTS.shape) > 0.3),
    _Y,
    families="multinomial",
    kinds="count",
)
_case("family-geometric", _COUNTS + 1, _Y, families="geometric", kinds="count")
_case("family-class", _NUMBERS, _Y, families={"height": likely.KernelByLikelihood, "big": likely.Normal})
for _how in ("ml", "map", "predictive"):
    _case(f"estimate-{_how}", _NUMBERS.join(_LEVELS), _Y, estimate=_how)
    _case(f"estimate-{_how}-of-counts", _COUNTS, _Y, estimate=_how, families="multinomial", kinds="count")
_case("levels", _LEVELS, _Y)
_case("levels-of-numbers", _LEVELS[["size"]], _Y, kinds="categorical")
_case("levels-of-extremes", _EXTREMES, _Y, kinds="categorical")
_case("listed-levels", _LEVELS[["size"]], _Y, kinds={"size": [40, 2, 1, 7]})
_case("mixed-levels", {"odd": ["1", 1, 2.5, "x"] * 15}, _Y, kinds={"odd": "categorical"})
_case("gaps", _GAPS, _Y)
_case("gaps-as-levels", _GAPS, _Y, missing="level")
_case("texts", _TEXTS, _Y, kinds={"title": "text", "body": likely.Words(ngrams=2, stop=["a"], min_count=2)})
_case("texts-bits", _TEXTS[["body"]], _Y, kinds=likely.Words(bits=True, max_size=5), prior=0.5)
_case("times", _TIMES, _Y)
_case("times-as-levels", _TIMES, _Y, kinds="categorical")
_case("zones-and-categories", _ZONED, _Y)
_case("zones-as-levels", _ZONED[["at", "whole"]], _Y, kinds="categorical")
_case("polars", pl.DataFrame({"a": _SHIFT, "b": list("xyz") * 20, "c": _DAYS}), _Y)
_case("unnamed", _UNNAMED, np.arange(_N) % 4)
_case("unnamed-by-columns", np.asfortranarray(_UNNAMED), np.arange(_N) % 4)
_case("unnamed-levels", _DIGITS, np.arange(_N) % 2 == 0, kinds="categorical")
_case("sparse", csr_array(_DIGITS * (_DIGITS > 2)), _Y, families="multinomial", kinds="count")
_case("sparse-numbers", csr_array(_DIGITS * (_DIGITS > 2)), _Y)
_case("one-class", _NUMBERS, ["only"] * _N)
_case("one-row", _LEVELS[:1], _Y[:1])
_case("times-as-classes", _LEVELS, _DAYS)
_case("prior-none", _LEVELS[["colour", "size"]], _Y, prior=None)
_case("prior-strength", _COUNTS, _Y, prior=np.float64(2.5))
_case("prior-laplace", _LEVELS, _Y, prior=likely.Laplace(0.1))
_case(
    "prior-m", _LEVELS[["wet"]], _Y, prior=likely.MEstimate(3, {False: 0.25, True: 0.75}), kinds="categorical"
)
_case(
    "priors-by-column",
    _NUMBERS.join(_LEVELS).join(_COUNTS),
    _Y,
    prior={
        "height": likely.NormalInverseGamma(170, 2.0, 3.0, 50),
        "wet": likely.Beta(1, 0.5),
        "visits": likely.Gamma(2, 1),
        "colour": likely.Dirichlet([1, 2, 3, 4.5]),
        "weight": 3,
    },
    kinds={"visits": "count", "calls": "count"},
)
_case("prior-beta-of-binomial", _COUNTS, _Y, families="binomial", kinds="count", prior=likely.Beta(2, 3))
_case(
    "prior-wishart",
    _NUMBERS[["height", "weight"]],
    _Y,
    families="multivariate_normal",
    prior=likely.NormalInverseWishart([170.0, 70.0], 1.0, 5.0, np.eye(2)),
)
_case("base-rate", _LEVELS, _Y, base_rate={"no": 0.2, "yes": 0.5, "perhaps": np.float64(0.3)})
_case("base-rate-uniform", _LEVELS, _Y, base_rate="uniform")
_case("weights-faded", _NUMBERS.join(_LEVELS).join(_GAPS), _Y, after=lambda m: m.decay(0.3) + m.decay(0.9))
_case("taken-out", _NUMBERS.join(_TEXTS), _Y, after=lambda m: m + m - m, kinds={"body": "text"})
_case("other-base-rate", _GAPS, _Y, after=lambda m: m.with_base_rate("uniform"))
_case("learnt-in-parts", _LEVELS, _Y, after=lambda m: m.partial_fit(_LEVELS, np.array(["new"] * _N)))
_case("families-chosen", _NUMBERS.join(_COUNTS), _Y, families="auto")
CASES.append(
    Case(
        "mixture",
        lambda: likely.Mixture(2, random_state=0).fit(_NUMBERS.join(_LEVELS)),
        _NUMBERS.join(_LEVELS),
        _Y,
        adds=False,
    )
)
_PARTLY = np.where(np.arange(_N) % 4 == 0, None, _Y.astype(object))
for _name, _parameters in {
    "mixture-auto": {"components": "auto", "random_state": 0},
    "mixture-hard": {"components": 2, "hard": True, "init": np.arange(_N) % 2},
    "mixture-started": {"init": CASES[-1].fit().record_},
}.items():
    CASES.append(
        Case(
            _name,
            partial(lambda p: likely.Mixture(**p).fit(_NUMBERS.join(_LEVELS)), _parameters),
            *(_NUMBERS.join(_LEVELS), _Y),
            False,
        )
    )
for _name, _components in {"auto": "auto", "by-class": {"no": 1, "yes": 2, "perhaps": 3}}.items():
    CASES.append(
        Case(
            f"mixture-classifier-{_name}",
            partial(lambda k: likely.MixtureClassifier(k, random_state=0).fit(_GAPS, _PARTLY), _components),
            _GAPS,
            _Y,
            False,
        )
    )


def _other(name: str, model: Any, X: Any, y: Any, answers: Callable[[Any, Any], Any]) -> None:
    OTHERS.append(Case(name, lambda: clone(model).fit(X, y), X, y, False, answers))


_MIXED = _NUMBERS.join(_LEVELS).join(_GAPS)
_OUTCOME = np.asarray(3 * _SHIFT + _NUMBERS["height"] / 10 + _RNG.normal(size=_N))
_TWO = np.where(_RNG.random(_N) < 0.5, "no", "yes")
_SPARSE = csr_array(_DIGITS * (_DIGITS > 2))
_JOINT = likely.MultivariateNormal(np.zeros(4), np.diag([100.0, 1, 1, 1]))


def _logistic(model: Any, X: Any) -> Any:
    return model.predict_log_proba(X), model.decision_function(X)


def _scores(model: Any, X: Any) -> Any:
    return model.decision_function(X)


def _line(model: Any, X: Any) -> Any:
    if model.record_.line.covariance is None:
        return model.predict(X)
    return model.predict(X), model.predict_interval(X).lower, model.predict_distribution(X).scale


for _name, _model, _X, _to in (
    ("two-classes", likely.LogisticRegression(), _MIXED, _TWO),
    ("three-classes", likely.LogisticRegression(likely.Normal(0, 1)), _MIXED, _Y),
    ("l1", likely.LogisticRegression(likely.DoubleExponential(0, [0.5, 1, 2])), _NUMBERS, _TWO),
    ("both", likely.LogisticRegression((likely.Normal(0, 1), likely.DoubleExponential(0, 1))), _LEVELS, _Y),
    ("by-column", likely.LogisticRegression({"height": likely.Normal(1, 2), "size": None}), _MIXED, _TWO),
    ("joint", likely.LogisticRegression(_JOINT), _NUMBERS, _TWO),
    ("auto", likely.LogisticRegression("auto"), _LEVELS, _TWO),
    ("jeffreys", likely.LogisticRegression("jeffreys"), _COUNTS, _TWO),
    ("online", likely.LogisticRegression(solver="online", max_iter=2), _COUNTS, _Y),
    ("averaged", likely.LogisticRegression(missing="average"), _GAPS[["age"]].join(_NUMBERS), _Y),
    ("texts", likely.LogisticRegression(kinds={"body": "text"}), _TEXTS[["body", "length"]], _TWO),
    ("sparse", likely.LogisticRegression(), _SPARSE, _TWO),
    ("unnamed-levels", likely.LogisticRegression(kinds="categorical"), _DIGITS, _Y),
    ("times", likely.LogisticRegression(), _TIMES, _DAYS),
):
    _other(f"logistic-{_name}", _model, _X, _to, _logistic)
for _classifier in (likely.LeastSquaresClassifier(), likely.BasicLinearClassifier()):
    for _to in (_TWO, _Y):
        _name = f"{type(_classifier).__name__}-{len(set(_to))}"
        _other(_name, _classifier, _NUMBERS.join(_LEVELS[["colour"]]), _to, _scores)
for _name, _model, _X in (
    ("plain", likely.LinearRegression(), _NUMBERS),
    ("mixed", likely.LinearRegression("default"), _MIXED),
    ("auto", likely.LinearRegression("auto", noise=likely.Gamma(2, 3)), _LEVELS.join(_GAPS)),
    ("lasso", likely.LinearRegression(likely.DoubleExponential(0, 0.1), standardise=False), _COUNTS),
    ("unnamed", likely.LinearRegression(likely.Normal(0, 1)), _UNNAMED),
):
    _other(f"linear-{_name}", _model, _X, _OUTCOME, _line)
_other(
    "holding-another",
    likely.Impute(likely.Mixture(2, random_state=0)),
    _GAPS[["age"]].join(_NUMBERS),
    None,
    lambda model, X: model.transform(X).to_numpy(),
)


def _probabilities(model: Any, X: Any) -> Any:
    return model.predict_log_proba(X), model.rates_


for _method in ("none", "means", "logistic", "beta", "isotonic", "bins", "temperature", "auto"):
    for _to in (_TWO, _Y):
        _wrapped = likely.Calibrated(
            likely.NaiveBayes(families="classical", evidence_weights=None), _method, cv=2
        )
        _other(f"calibrated-{_method}-{len(set(_to))}", _wrapped, _NUMBERS, _to, _probabilities)
_scored = likely.Calibrated(likely.BasicLinearClassifier(), "isotonic", cv=2, base_rate="uniform")
_other("calibrated-scores", _scored, _NUMBERS, _Y, _probabilities)
_other("calibrated-one-class", likely.Calibrated(cv=2), _LEVELS, ["only"] * _N, _probabilities)
_other("calibrated-times", likely.Calibrated(cv=2, method="beta"), _NUMBERS, _DAYS, _probabilities)
OTHERS.append(
    Case(
        "calibrated-prefit",
        lambda: likely.Calibrated(
            likely.NaiveBayes(families="classical", evidence_weights=None).fit(_MIXED, _Y),
            "beta",
            cv="prefit",
        ).fit(_MIXED, _Y),
        *(_MIXED, _Y, False, _probabilities),
    )
)


def _states(model: Any, X: Any) -> Any:
    return model.predict_proba(X), model.predict(X), model.log_prob(X), model.transitions_


for _name, _model, _X in (
    ("numbers", likely.HiddenMarkov(2, random_state=0), _NUMBERS),
    ("mixed", likely.HiddenMarkov(2, random_state=0, prior=None), _MIXED),
    ("levels", likely.HiddenMarkov(3, random_state=0, transitions=np.triu(np.ones((3, 3)))), _LEVELS),
    ("counts", likely.HiddenMarkov("auto", random_state=0, transitions="left-to-right"), _COUNTS),
    ("unnamed", likely.HiddenMarkov(2, random_state=0, covariance="tied"), _UNNAMED),
):
    _other(f"chain-{_name}", _model, _X, None, _states)


def _nodes(model: Any, X: Any) -> Any:
    return model.log_prob(X), *(own.probabilities for own in model.marginals().values())


_HEIGHTS = _NUMBERS[["height"]].join(_LEVELS)
for _name, _model, _X in (
    ("numbers", likely.Network("naive"), _HEIGHTS),
    ("search", likely.Network(), _LEVELS),
    ("gaps", likely.Network([("y", "size")], hidden={"h": 2}, max_iter=3), _LEVELS.join(_GAPS)),
):
    _other(f"network-{_name}", _model, _X, _Y, _nodes)
