"""Pools come back from their files to the last bit, without refitting; files that lie are refused."""

from __future__ import annotations

import pickle
import random
import warnings

import numpy as np
import pandas as pd
import pytest
from hostile_files import hostile
from seeds import sizes
from sklearn.base import clone

import likely
from likely.errors import LikelyError

RNG = np.random.default_rng(20)
N = 90
Y = np.arange(N) % 3
X = pd.DataFrame(
    {
        "height": RNG.normal(170 + 5 * Y, 7),
        "age": np.where(RNG.random(N) < 0.3, np.nan, RNG.normal(40, 9, N)),
        "town": RNG.choice(np.array(["a", "b", "größe 😀", None], object), N),
        "wet": RNG.choice([True, False], N),
        "nothing": np.full(N, np.nan),
        "day": pd.date_range("2024-02-28", periods=N),
        "text": RNG.choice(["win money now", "meeting at noon", "free money", None], N),
    }
)
LABELS = np.array(["no", "yes", "perhaps"])[Y]
CASES = {
    "additive": (likely.Classifier("additive", kinds={"text": "text"}), LABELS),
    "fast": (likely.Classifier("fast"), Y == 1),
    "default": (likely.Classifier(), LABELS),
    "best": (likely.Classifier("best"), Y == 1),
    "one class": (likely.Classifier(), np.zeros(N, int)),
}
NUMBERS = {
    "number": likely.Regressor("additive", kinds={"text": "text"}),
    "numbers": likely.Regressor(members=["forest", "net"]),
}


@pytest.fixture(scope="module")
def fitted():
    return {name: clone(model).fit(X, y) for name, (model, y) in CASES.items()}


@pytest.mark.parametrize("name", CASES)
def test_a_pool_comes_back_to_the_last_bit(name, fitted, tmp_path):
    model = fitted[name]
    model.save(tmp_path / "a.likely")
    again = likely.load(tmp_path / "a.likely")
    assert np.array_equal(again.predict_log_proba(X), model.predict_log_proba(X))
    assert again.classes_.tolist() == model.classes_.tolist()
    assert str(again.describe()) == str(model.describe())
    assert sorted(vars(again)) == sorted(vars(model))
    assert "same" in str(likely.diff(model, again))
    if name != "one class":
        assert np.array_equal(again.explain(X).terms, model.explain(X).terms)
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict_log_proba(X), model.predict_log_proba(X))


@pytest.mark.parametrize("n", sizes(60, 5000))
def test_no_lie_of_a_pool_does_any_harm(n, fitted, tmp_path, monkeypatch):
    """Changed bytes and changed states: refused, or a model that answers."""
    sound = []
    for name, model in fitted.items():
        sound.append(tmp_path / f"{name}.likely")
        model.save(sound[-1])
    numbers = {name: clone(model).fit(X, Y + X["height"]) for name, model in NUMBERS.items()}
    for name, model in numbers.items():
        sound.append(tmp_path / f"{name}.likely")
        model.save(sound[-1])
    for name in ("load", "loads", "Unpickler"):
        monkeypatch.setattr(pickle, name, lambda *_, **__: pytest.fail("something was unpickled"))
    rng, path, refused = random.Random(n), tmp_path / "hostile.likely", 0
    for _ in range(n):
        path.write_bytes(hostile(rng.choice(sound), rng))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            warnings.simplefilter("ignore", RuntimeWarning)
            try:
                again = likely.load(path)
                answer = again.predict if hasattr(again, "predict_distribution") else again.predict_log_proba
                answer(X[:6])
            except LikelyError:
                refused += 1
    assert refused > n / 3


def test_models_that_differ_say_where(fitted):
    other = likely.Classifier("fast", random_state=1).fit(X, Y == 1)
    assert "weight of net" in str(likely.diff(fitted["fast"], other))


def test_pools_are_decided_with_and_calibrated(fitted):
    model = fitted["fast"]
    decider = likely.Decider(model, costs={(True, False): 5.0, (False, True): 1.0})
    assert set(decider.predict(X)) <= {True, False}
    calibrated = likely.Calibrated(likely.Classifier("additive"), "logistic", cv=3).fit(X, Y == 1)
    assert np.isfinite(calibrated.predict_log_proba(X)).all()
