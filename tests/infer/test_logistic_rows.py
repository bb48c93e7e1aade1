"""Logistic regression with more columns than rows: against the evidence by columns, and on noise."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

import likely
from likely.compare import cross_validate
from likely.engine import Chunk
from likely.infer.logistic_rows import row_evidence
from likely.infer.standard import Scaling, Standard, row_products


def made(seed: int, n: int, d: int, size: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d))
    return x, rng.random(n) < 1 / (1 + np.exp(-size * x[:, :5].sum(axis=1)))


@pytest.mark.parametrize("sd", [0.03, 0.3, 3.0])
def test_evidence_of_rows_is_that_of_columns(sd: float) -> None:
    """Their differences, by the model that has a matrix of curvatures: what is the same in both drops out."""
    x, y = made(0, 80, 12, 0.5)
    z = (x - x.mean(axis=0)) / x.std(axis=0)

    def both(s: float) -> tuple[float, float]:
        by_columns = likely.LogisticRegression(likely.Normal(0, s)).fit(x, y).log_evidence_
        return row_evidence(z @ z.T, y.astype(float), np.ones(80), s).log_evidence, by_columns

    (rows, columns), (rows_1, columns_1) = both(sd), both(1.0)
    assert rows - rows_1 == pytest.approx(columns - columns_1, abs=0.02)


def test_most_probable_coefficients_are_those_of_the_pulls() -> None:
    x, y = made(1, 60, 8, 0.5)
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    at = row_evidence(z @ z.T, y.astype(float), np.ones(60), 0.7)
    model = likely.LogisticRegression(likely.Normal(0, 0.7)).fit(z, y)
    np.testing.assert_allclose(
        0.49 * z.T @ at.pull, model.coef_[0], atol=2e-3
    )  # the intercept is not quite free


@pytest.mark.parametrize("sparse", [False, True])
def test_products_of_rows(sparse: bool) -> None:
    rng = np.random.default_rng(2)
    x = np.where(rng.random((30, 7)) < 0.6, 0.0, rng.normal(size=(30, 7)))
    rows = csr_array(x) if sparse else x
    z = Standard(Chunk(lambda a, b: rows[a:b], 30, 7), Scaling(x.mean(axis=0), x.std(axis=0)))
    standard = (x - x.mean(axis=0)) / x.std(axis=0)
    np.testing.assert_allclose(row_products(z), standard @ standard.T, atol=1e-12)


def test_thousands_of_columns_of_noise_are_not_worse_than_the_base_rate() -> None:
    """A fixed prior has a log loss of about 1.0 here."""
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(150, 2500)), rng.integers(0, 2, 150)
    scores = cross_validate(likely.LogisticRegression(), x, y, folds=3)
    assert scores.log_loss < float(scores.base_rate["log loss"]) + 0.01


@pytest.mark.parametrize("classes", [2, 3])
def test_thousands_of_columns_that_tell(classes: int) -> None:
    rng = np.random.default_rng(4)
    y = np.arange(150) % classes
    x = rng.normal(size=(150, 2500)) + 0.3 * rng.normal(size=(classes, 2500))[y]
    model = likely.LogisticRegression().fit(x[:100], y[:100])
    assert model.score(x[100:], y[100:]) > 0.9
    assert 0.003 < float(model.prior_.sd) < 1.0
