"""Logistic regression beside a calibrated linear classifier on one feature (Flach, example 9.6)."""

from __future__ import annotations

import numpy as np
import pytest

from likely import LogisticRegression
from likely.calibrate import isotonic, logistic_by_means


@pytest.fixture
def rows():
    """Ten of either class that overlap."""
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], 10)
    return rng.normal(size=20) + y, y


@pytest.fixture
def answers(rows):
    x, y = rows
    model = LogisticRegression(prior=None).fit(x[:, None], y)
    return {
        "regression": model.predict_proba(x[:, None])[:, 1],
        "by means": logistic_by_means(y, x)(x),
        "isotonic": isotonic(y, x, smoothing=None)(x),
    }


def test_sums_of_probabilities(rows, answers):
    _, y = rows
    assert answers["regression"].sum() == pytest.approx(y.sum(), abs=1e-8)
    assert answers["isotonic"].sum() == pytest.approx(y.sum(), abs=1e-12)
    assert abs(answers["by means"].sum() - y.sum()) > 1e-4


def test_residual_along_the_feature(rows, answers):
    x, y = rows
    assert (y - answers["regression"]) @ x == pytest.approx(0, abs=1e-8)
    assert abs((y - answers["by means"]) @ x) > 1e-3


def test_squared_error(rows, answers):
    _, y = rows
    error = {name: ((p - y) ** 2).sum() for name, p in answers.items()}
    assert error["isotonic"] < min(error["regression"], error["by means"])
