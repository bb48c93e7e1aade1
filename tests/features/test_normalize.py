"""Common scales: the worked figures, SciPy's z-scores, and the way back."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, zscore

from likely import LikelyError, Normalize

X = {"f": [-5.0, -3.1, -2.7, 0.0, 7.0, 7.1, 8.5, 9.0, 9.0, 13.7, 15.1, 20.1]}
METHODS = ("z", "variance", "iqr", "minmax", "six_sigma")


@pytest.mark.parametrize(
    ("method", "value"),
    [
        ("z", 0.324564),
        ("variance", 0.043143),
        ("iqr", 0.110599),
        ("minmax", 0.557769),
        ("six_sigma", 0.554094),
    ],
)
def test_worked_figures(method, value):
    assert Normalize(method).fit(X).transform({"f": [9.0]})["f"] == pytest.approx([value], abs=5e-7)


def test_ends_and_given_ends():
    assert Normalize("six_sigma").fit(X).transform({"f": [-5.0, 20.1]})["f"] == pytest.approx(
        [0.243930, 0.800010], abs=5e-7
    )
    out = Normalize("minmax", low=0, high=10).fit(X).transform({"f": [-5, 7, 20.1]})["f"]
    assert out == pytest.approx([0, 0.7, 1])
    assert "median 7.8, interquartile range 10.85" in Normalize("iqr").fit(X).describe()
    assert 2 * norm.sf(3) == pytest.approx(0.0027, abs=5e-5)  # what six sigmas leave outside


def test_z_is_scipys():
    rows = np.random.default_rng(0).gamma(2, size=(300, 3))
    assert Normalize().fit_transform(rows) == pytest.approx(zscore(rows), rel=1e-10)


@pytest.mark.parametrize("method", METHODS)
def test_there_and_back(method):
    model = Normalize(method).fit(X)
    assert model.inverse_transform(model.transform(X))["f"] == pytest.approx(X["f"], rel=1e-12, abs=1e-12)
    rows = np.random.default_rng(1).normal(size=(20, 2))
    matrix = Normalize(method).fit(rows)
    assert matrix.inverse_transform(matrix.transform(rows)) == pytest.approx(rows)


@pytest.mark.parametrize(
    ("method", "value"), [("z", 0), ("variance", 0), ("iqr", 0), ("minmax", 0.5), ("six_sigma", 0.5)]
)
def test_a_column_that_does_not_vary(method, value):
    model = Normalize(method).fit({"x": [3.0, 3.0, None]})
    out = model.transform({"x": [3.0, None, 5.0]})["x"]
    assert out.tolist() == pytest.approx([value, np.nan, value], nan_ok=True)
    assert "does not vary" in model.describe()


def test_wrong_options():
    with pytest.raises(LikelyError, match="'iqr'"):
        Normalize("best").fit(X)
    with pytest.raises(LikelyError, match="minmax"):
        Normalize("z", low=0).fit(X)
    with pytest.raises(LikelyError, match="below high"):
        Normalize("minmax", low=3, high=3).fit(X)
