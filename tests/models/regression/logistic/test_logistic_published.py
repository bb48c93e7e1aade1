"""Firth's correction on the data sets that it is usually shown on, against published figures and SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.special import expit

from likely import LikelyWarning, LogisticRegression

EXACT = {"maxiter": 40_000, "maxfev": 40_000, "xatol": 1e-9, "fatol": 1e-12, "adaptive": True}

# The endometrial cancer data on which Firth's correction is usually shown (analysed by Heinze and Schemper,
# 2002): neovasculisation, pulsatility index, endometrium height, and whether the grade is high.
ENDOMETRIAL = np.fromstring(
    "0,13,1.64,0,0,16,2.26,0,0,8,3.14,0,0,34,2.68,0,0,20,1.28,0,0,5,2.31,0,0,17,1.8,0,0,10,1.68,0,0,26,1.56,0,0,17,"
    "2.31,0,0,8,2.01,0,0,7,1.89,0,0,20,3.15,0,0,10,1.23,0,0,18,1.27,0,0,16,1.76,0,0,18,2,0,0,8,2.64,1,0,29,0.88,1,0,"
    "12,1.27,1,0,20,1.37,1,1,38,0.97,1,1,22,1.14,1,1,7,0.88,1,1,25,0.91,1,1,15,0.58,1,0,7,0.97,1,0,28,1.5,0,0,11,"
    "1.33,0,0,19,2.37,0,0,10,1.82,0,0,10,3.13,0,0,18,1.31,0,0,14,1.92,0,0,21,1.64,0,0,11,2.01,0,0,17,1.88,0,0,25,"
    "1.93,0,0,16,2.11,0,0,19,1.29,0,0,15,1.72,0,0,33,0.75,0,0,24,1.92,0,0,48,1.84,1,0,12,1.11,1,0,19,1.61,1,0,2,"
    "1.18,1,1,22,1.44,1,1,40,1.18,1,1,5,0.93,1,1,0,1.17,1,0,21,1.19,1,0,15,1.06,1,0,29,2.02,0,0,15,2.29,0,0,12,2.33,"
    "0,0,3,2.9,0,0,20,1.7,0,0,23,1.41,0,0,12,2.25,0,0,22,1.54,0,0,42,1.97,0,0,15,1.75,0,0,13,2.16,0,0,14,2.57,0,0,"
    "19,1.37,0,0,12,3.61,0,0,13,2.04,0,0,10,2.17,0,0,12,1.69,1,1,49,0.27,1,0,6,1.84,1,0,5,1.3,1,0,17,0.96,1,1,11,"
    "1.01,1,1,21,0.98,1,0,5,0.35,1,1,19,1.02,1,0,33,0.85,1",
    sep=",",
).reshape(-1, 4)

# Urinary tract infections of 239 students, as 36 sorts of them and how many there are of each: whether there
# was one, age, oral contraceptive, condom, lubricated condom, spermicide, diaphragm (Foxman and others, 1997;
# the example of the first programs for Firth's correction, as "sex2").
INFECTIONS = (
    "1000010 1 1001000 14 1001010 3 1001100 10 1001110 12 1001111 1 1010000 44 1010001 3 1011000 15 "
    "1011001 1 1011010 2 1011100 7 1011110 3 1101000 2 1101010 1 1101011 1 1101100 1 1101111 1 1110000 5 "
    "1111000 3 0000010 1 0001000 2 0001010 1 0001100 8 0001110 18 0010000 42 0010010 1 0011000 1 "
    "0011100 5 0011110 6 0101100 2 0101110 4 0110000 14 0110010 1 0111000 1 0111110 2 "
)


def endometrial():
    return ENDOMETRIAL[:, :3], ENDOMETRIAL[:, 3].astype(int), np.ones(len(ENDOMETRIAL))


def infections():
    words = INFECTIONS.split()
    cells = np.array([[int(cell) for cell in row] for row in words[::2]])
    return cells[:, 1:].astype(np.float64), cells[:, 0], np.array(words[1::2], np.float64)


def two(model) -> np.ndarray:
    return np.concatenate([model.intercept_, model.coef_[0]])


class Penalised:
    """log-likelihood + log det information / 2, written out."""

    def __init__(self, x, y, weight):
        self.z, self.y, self.weight = np.column_stack([np.ones(len(x)), x]), y, weight

    def information(self, theta):
        p = expit(self.z @ theta)
        return (self.z * (self.weight * p * (1 - p))[:, None]).T @ self.z

    def __call__(self, theta):
        odds = self.z @ theta
        likelihood = -(self.weight * np.logaddexp(0, np.where(self.y == 1, -odds, odds))).sum()
        return likelihood + 0.5 * np.linalg.slogdet(self.information(theta))[1]


@pytest.mark.parametrize(
    ("data", "coefficients", "errors"),
    [
        (endometrial, [3.77456, 2.92927, -0.03475, -2.60416], [1.48869, 1.55076, 0.03958, 0.77602]),
        (
            infections,
            [0.120254, -1.10598, -0.0688167, 2.26887, -2.11141, -0.788317, 3.09601],
            [0.485542, 0.42366, 0.443793, 0.548416, 0.543082, 0.417368, 1.67501],
        ),
    ],
    ids=["endometrial", "infections"],
)
def test_published_figures_and_a_search_by_hand(data, coefficients, errors):
    """To the digits that programs for Firth's correction print; and the maximum of the formula itself."""
    x, y, weight = data()
    model = LogisticRegression("jeffreys").fit(x, y, sample_weight=weight)
    assert_allclose(two(model), coefficients, atol=5.1e-6)
    assert_allclose(model.standard_errors_[0], errors, atol=5.1e-6)
    formula = Penalised(x, y, weight)
    found = minimize(lambda theta: -formula(theta), np.zeros(len(coefficients)), method="BFGS", tol=1e-9)
    found = minimize(lambda theta: -formula(theta), found.x, method="Nelder-Mead", options=EXACT)
    assert_allclose(two(model), found.x, atol=1e-5)
    assert formula(two(model)) >= -found.fun - 1e-10
    assert_allclose(model.covariance_, np.linalg.inv(formula.information(found.x)), rtol=1e-4, atol=1e-7)


def test_infections_one_by_one_and_the_penalised_likelihood():
    """The published maximum is -132.5394; the rows written out are the same as their weights."""
    x, y, weight = infections()
    assert weight.sum() == 239
    rows = np.repeat(np.arange(len(y)), weight.astype(int))
    counted = LogisticRegression("jeffreys").fit(x, y, sample_weight=weight)
    written = LogisticRegression("jeffreys").fit(x[rows], y[rows])
    assert_allclose(two(written), two(counted), atol=1e-6)
    assert Penalised(x, y, weight)(two(counted)) == pytest.approx(-132.5394, abs=5e-5)


@pytest.mark.parametrize(
    ("data", "column"), [(endometrial, 0), (infections, 5)], ids=["endometrial", "infections"]
)
def test_without_the_correction_there_is_no_maximum(data, column):
    """One column singles out high grades, and cases: its coefficient would grow for ever. It is said."""
    x, y, weight = data()
    assert (y[x[:, column] == 1] == 1).all()
    with pytest.warns(LikelyWarning, match="no finite maximum"):
        model = LogisticRegression(None).fit(x, y, sample_weight=weight)
    assert model.coef_[0, column] > 10
