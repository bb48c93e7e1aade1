"""The default prior of logistic regression: as strong as the evidence says, and never rash."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from seeds import first
from sklearn.model_selection import StratifiedKFold

import likely
from likely import LikelyError, LogisticRegression, Normal
from likely.models.regression.logistic import prior_strength
from likely.models.regression.logistic.prior_strength import log_hyperprior


def drawn(seed, n, p, g=2, size=1.0, used=None):
    """Classes whose log-odds are sums of some of the columns, which are on different scales."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, p))
    w = rng.normal(size=(p, g)) * size
    w[p if used is None else used :] = 0
    y = (x @ w + rng.gumbel(size=(n, g))).argmax(axis=1)
    y[:g] = np.arange(g)
    return x * np.geomspace(0.01, 100, p), y


CASES = {
    "two classes": (300, 5, 2, 1.0),
    "weak": (400, 12, 2, 0.2),
    "three classes": (300, 4, 3, 1.0),
    "few rows": (25, 3, 2, 1.0),
    "noise": (150, 10, 2, 0.0),
    "noise in three classes": (150, 6, 3, 0.0),
    "strong": (300, 3, 2, 5.0),
    "separable": (60, 3, 2, 100.0),
    "separable, three classes": (90, 2, 3, 100.0),
}


def lacks(x, y, sd, weight=None):
    """Of an sd: what the fit under it says, and the density of the sd itself."""
    return -LogisticRegression(Normal(0, sd)).fit(x, y, sample_weight=weight).log_evidence_ - log_hyperprior(
        sd
    )


@pytest.mark.parametrize("prior", first(1, ["default", "auto"]))
@pytest.mark.parametrize("name", CASES)
def test_no_other_sd_is_better(name, prior):
    """Against a grid of sds from .001 to 100."""
    x, y = drawn(0, *CASES[name])
    model = LogisticRegression(prior).fit(x, y)
    best = min(lacks(x, y, sd) for sd in np.geomspace(1e-3, 100, 40))
    assert -model.log_evidence_ - log_hyperprior(float(model.prior_.sd)) <= best + 1e-2
    assert model.n_iter_ >= 1


@pytest.mark.parametrize("name", CASES)
def test_many_rows_are_taken_for_parabolas(name, monkeypatch):
    """The search that passes over the rows a few times ends where the other does, to a share of a nat."""
    n, *rest = CASES[name]
    x, y = drawn(1, 4 * n, *rest)
    searched = LogisticRegression().fit(x, y)
    monkeypatch.setattr(prior_strength, "FEW", 0)
    near = LogisticRegression().fit(x, y)
    apart = [-m.log_evidence_ - log_hyperprior(float(m.prior_.sd)) for m in (near, searched)]
    assert apart[0] - apart[1] < 0.5
    assert np.abs(near.predict_proba(x) - searched.predict_proba(x)).max() < 0.02


def test_a_weight_is_so_many_rows():
    x, y = drawn(2, 120, 4)
    weight = np.random.default_rng(0).integers(0, 4, 120)
    weight[:2] = 1
    once = LogisticRegression().fit(x, y, sample_weight=weight)
    often = np.repeat(np.arange(120), weight)
    repeated = LogisticRegression().fit(x[often], y[often])
    assert float(once.prior_.sd) == pytest.approx(float(repeated.prior_.sd), rel=1e-4)
    assert once.predict_proba(x) == pytest.approx(repeated.predict_proba(x), abs=1e-5)


@pytest.mark.parametrize(("n", "p"), [(100, 30), (20, 10), (60, 3)])
def test_noise_is_not_believed(n, p):
    """The mean log loss of 20 draws on new rows is near that of knowing nothing, .693: Normal(0, 2.5) has 1.1
    with 100 x 30."""
    losses = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        y, new = np.arange(n) % 2, rng.normal(size=(1000, p))
        model = LogisticRegression().fit(rng.normal(size=(n, p)), y)
        losses.append(-np.log(model.predict_proba(new)).mean())
    assert np.mean(losses) < 0.693 + 5 / n


REAL = {
    "iris": ("iris.csv", None),
    "wine": ("wine.csv", "class"),
    "glass": ("glass.csv", "Type"),
    "penguins": ("penguins.csv", "species"),
    "hepatitis": ("hepatitis.csv", "Class"),
    "heart": ("heart_cleveland_weka.csv", "num"),
    "pima": ("pima_diabetes.csv", "class"),
}


@pytest.mark.parametrize("name", first(3, REAL))
def test_never_clearly_worse_than_a_fixed_one(shared_data, name):
    """Cross-validated on the same folds: no more than 2 standard errors of the difference, and .002."""
    file, target = REAL[name]
    table = pd.read_csv(shared_data / file, na_values="?")
    y = table.pop(target or table.columns[-1]).to_numpy()
    apart = []
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(table, y):
        logs = []
        for prior in ("default", Normal(0, 2.5)):
            model = LogisticRegression(prior).fit(table.iloc[train], y[train])
            place = np.searchsorted(model.classes_, y[test])
            logs.append(model.predict_log_proba(table.iloc[test])[np.arange(len(test)), place])
        apart.append(logs[1] - logs[0])
    apart = np.concatenate(apart)
    assert apart.mean() <= 2 * apart.std() / np.sqrt(len(apart)) + 0.002


class TestWhereNothingIsChosen:
    def test_thousands_of_coefficients(self):
        rng = np.random.default_rng(0)
        x, y = rng.normal(size=(30, 2100)), np.arange(30) % 2
        """None of many rows; of few the sd is chosen by their products (test_logistic_rows)."""
        rows = np.tile(x, (70, 1)), np.tile(y, 70)
        assert float(LogisticRegression().fit(*rows).prior_.sd) == 2.5

    def test_one_row_after_another(self):
        """As the fixed prior, until a fit has chosen one: that stays."""
        x, y = drawn(3, 200, 3, size=0.3)
        fixed = LogisticRegression(Normal(0, 2.5)).partial_fit(x, y, classes=[0, 1])
        assert LogisticRegression().partial_fit(x, y, classes=[0, 1]).coef_ == pytest.approx(fixed.coef_)
        fitted = LogisticRegression().fit(x, y)
        chosen = fitted.prior_
        by_hand = LogisticRegression(chosen).fit(x, y).partial_fit(x[:50], y[:50])
        fitted.partial_fit(x[:50], y[:50])
        assert float(fitted.prior_.sd) == float(chosen.sd)
        assert fitted.coef_ == pytest.approx(by_hand.coef_, rel=1e-6)
        with pytest.raises(LikelyError, match="needs all rows at once"):
            LogisticRegression("auto").partial_fit(x, y)

    def test_averaged_gaps_and_files(self, tmp_path):
        """The chosen prior goes wherever the model goes."""
        x, y = drawn(4, 150, 3)
        x[np.random.default_rng(0).random(x.shape) < 0.1] = np.nan
        model = LogisticRegression(missing="average").fit(x, y)
        known = ~np.isnan(x).any(axis=1)
        other = LogisticRegression().fit(x[known], y[known])
        assert float(model.prior_.sd) == pytest.approx(float(other.prior_.sd))
        model.save(tmp_path / "m.likely")
        again = likely.load(tmp_path / "m.likely")
        assert float(again.prior_.sd) == float(model.prior_.sd)
        assert again.predict_proba(x) == pytest.approx(model.predict_proba(x), abs=0)
