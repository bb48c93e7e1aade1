"""Logistic regression against scikit-learn, closed forms and brute force."""

from __future__ import annotations

import pickle
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from scipy.optimize import linprog
from scipy.sparse import csr_array
from scipy.special import expit, logsumexp
from seeds import first
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression as Peer
from sklearn_checks import estimator_checks

import likely
from likely import (
    DoubleExponential,
    LikelyError,
    LikelyWarning,
    LogisticRegression,
    MultivariateNormal,
    Normal,
)
from likely.compare import cross_validate
from likely.engine import engine_for
from likely.table.frame import Frame

RNG, RNG_NOISE = np.random.default_rng(5), np.random.default_rng(6)
N = 400
X = RNG.normal(size=(N, 3)) * [1, 4, 0.2] + [0, 3, 1]
Y = (RNG.random(N) < expit(X[:, 0] - 0.3 * X[:, 1] + 1)).astype(int)
Y3 = (X @ RNG.normal(size=(3, 3)) + RNG.gumbel(size=(N, 3))).argmax(axis=1)


def peer(C: float = 1.0) -> Peer:
    return Peer(C=C, tol=1e-12, max_iter=10_000, solver="newton-cholesky")


def two(model) -> np.ndarray:
    return np.concatenate([model.intercept_, model.coef_.ravel()])


@pytest.mark.filterwarnings("ignore::likely.errors.LikelyWarning")
@estimator_checks(
    LogisticRegression(),
    rarely=[
        LogisticRegression(DoubleExponential(0, 1)),
        LogisticRegression(None),
        LogisticRegression(solver="online", max_iter=20),
    ],
)
def test_estimator_checks(estimator, check):
    check(estimator)


class TestMaximumLikelihood:
    """With an intercept the gradient is 0: probabilities add up to what was seen (Flach, eq. 9.5)."""

    @pytest.mark.parametrize("y", [Y, Y3], ids=["two", "three"])
    @pytest.mark.parametrize("weight", [None, RNG.gamma(2, 1, N)], ids=["plain", "weighted"])
    def test_calibration_identities(self, y, weight):
        model = LogisticRegression(None).fit(X, y, sample_weight=weight)
        weight = np.ones(N) if weight is None else weight
        off = (model.predict_proba(X) - (y[:, None] == model.classes_)) * weight[:, None]
        assert_allclose(off.sum(axis=0), 0, atol=1e-6)
        assert_allclose(X.T @ off, 0, atol=1e-6)

    def test_a_table_of_two_by_two(self):
        """The log odds ratio and Woolf's standard error."""
        a, b, c, d = 12, 5, 7, 30
        x, y = [1] * (a + b) + [0] * (c + d), [1] * a + [0] * b + [1] * c + [0] * d
        model = LogisticRegression(None).fit({"x": x}, y)
        assert model.coef_[0, 0] == pytest.approx(np.log(a * d / (b * c)), rel=1e-9)
        assert model.standard_errors_[0, 1] == pytest.approx(np.sqrt(1 / a + 1 / b + 1 / c + 1 / d), rel=1e-7)

    def test_standard_errors_are_those_of_the_information(self):
        model = LogisticRegression(None).fit(X, Y)
        p, design = model.predict_proba(X)[:, 1], np.column_stack([np.ones(N), X])
        covariance = np.linalg.inv((design.T * (p * (1 - p))) @ design)
        assert_allclose(model.covariance_, covariance, rtol=1e-8)
        table = model.summary().to_frame()
        assert_allclose(table["standard error"], np.sqrt(np.diag(covariance)), rtol=1e-8)
        assert_allclose(table["z"], two(model) / np.sqrt(np.diag(covariance)), rtol=1e-8)

    def test_standard_errors_of_three_classes(self):
        """Of the differences to the first class, from the information of its own parameters."""
        model = LogisticRegression(None).fit(X, Y3)
        p, design = model.predict_proba(X)[:, 1:], np.column_stack([np.ones(N), X])
        spread = p[:, :, None] * (np.eye(2) - p[:, None, :])
        information = np.einsum("nij,na,nb->iajb", spread, design, design).reshape(8, 8)
        turn = np.kron(np.array([[-1.0, 1, 0], [-1, 0, 1]]), np.eye(4))
        assert_allclose(turn @ model.covariance_ @ turn.T, np.linalg.inv(information), rtol=1e-6, atol=1e-9)

    def test_separable_classes_are_reported_and_a_prior_keeps_them_finite(self):
        x, y = np.arange(10.0)[:, None], np.arange(10) > 4
        with pytest.warns(LikelyWarning, match="no finite maximum: the columns separate the classes"):
            LogisticRegression(None).fit(x, y)
        for prior in ("default", "jeffreys", DoubleExponential(0, 1)):
            model = LogisticRegression(prior).fit(x, y)
            assert 0 < model.coef_[0, 0] < 20

    def test_collinear_columns_are_reported(self):
        more = np.column_stack([X, X[:, 0] - 2 * X[:, 1], np.full(N, 7.0)])
        with pytest.warns(LikelyWarning, match="'x3', 'x4' are constant or determined by the columns before"):
            model = LogisticRegression(None).fit(more, Y)
        assert model.coef_[0, 3:].tolist() == [0, 0]
        assert np.isinf(model.standard_errors_[0, 4:]).all()
        assert_allclose(model.coef_[:, :3], LogisticRegression(None).fit(X, Y).coef_, rtol=1e-6)
        assert np.isfinite(LogisticRegression().fit(more, Y).standard_errors_[0, :5]).all()

    @pytest.mark.parametrize("y", [Y, Y3], ids=["two", "three"])
    @pytest.mark.parametrize("prior", [None, "default", "auto"], ids=str)
    def test_a_shift_changes_the_intercept_alone(self, y, prior):
        left = (X + 1e9) - 1e9  # the digits that such a shift leaves
        far, near = (LogisticRegression(prior).fit(x, y) for x in (X + 1e9, left))
        assert_allclose(far.coef_, near.coef_, rtol=1e-9)
        assert_allclose(far.standard_errors_[:, 1:], near.standard_errors_[:, 1:], rtol=1e-9)
        assert_allclose(far.predict_proba(X + 1e9), near.predict_proba(left), atol=1e-9)

    @pytest.mark.parametrize("g", [2, 3])
    def test_what_can_be_told_apart_is_found_as_by_linear_programming(self, g):
        """A maximum is infinite if some direction makes no row less probable, and some row more so."""
        rng, seen = np.random.default_rng(g), []
        for case in range(60):
            n, d = int(rng.integers(3 * g, 9 * g)), int(rng.integers(1, 4))
            x = rng.normal(size=(n, d)) if case % 2 else rng.integers(0, 3, (n, d)).astype(float)
            y = np.concatenate([np.arange(g), rng.integers(0, g, n - g)])
            z, sides = np.column_stack([np.ones(n), x]), []
            for row, own in zip(z, y, strict=True):
                for other in set(range(g)) - {own}:
                    side = np.zeros((g, d + 1))
                    side[own], side[other] = row, -row
                    sides.append(side.ravel())
            apart = np.array(sides)  # gains of each row's class over each other class
            best = linprog(-apart.sum(axis=0), A_ub=-apart, b_ub=np.zeros(len(apart)), bounds=(-1, 1))
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                model = LogisticRegression(None).fit(x, y)
            assert np.isfinite(two(model)).all()
            seen.append((-best.fun > 1e-7, any("no finite maximum" in str(one.message) for one in said)))
        truth, reported = np.array(seen).T
        assert (truth == reported).all()
        assert 3 <= truth.sum() <= 57

    def test_a_constant_column_keeps_its_prior(self):
        """Nothing is learnt of it, so yesterday's posterior does not hold it at 0 when it varies today."""
        rng = np.random.default_rng(3)
        a, c = rng.normal(size=(2, 500))
        first = LogisticRegression({"a": Normal(0, 2), "c": Normal(0.5, 2)}).fit(
            {"a": a, "c": np.zeros(500)}, rng.random(500) < expit(a)
        )
        assert first.coef_[0, 1] == pytest.approx(0.5, abs=1e-9)
        assert first.standard_errors_[0, 2] == pytest.approx(2, rel=1e-9)
        y = rng.random(500) < expit(a + 2 * c)
        second = LogisticRegression(first.posterior_).fit({"a": a, "c": c}, y)
        assert abs(second.coef_[0, 1] - 2) < 4 * second.standard_errors_[0, 2] < 1  # false alarm 1 in 15,000
        third = LogisticRegression(second.posterior_).fit(
            {"a": a, "c": np.zeros(500)}, rng.random(500) < expit(a)
        )
        assert abs(third.coef_[0, 1] - second.coef_[0, 1]) < second.standard_errors_[0, 2]
        with pytest.warns(LikelyWarning, match="'c' is constant"):
            flat = LogisticRegression(None).fit({"a": a, "c": np.zeros(500)}, rng.random(500) < expit(a))
        with pytest.raises(
            LikelyError, match=r"nothing is known of the coefficients of \['c'\]: give a prior"
        ):
            flat.posterior_  # noqa: B018


class TestPriors:
    @pytest.mark.parametrize("y", [Y, Y3], ids=["two", "three"])
    @pytest.mark.parametrize("sd", [0.1, 1.0, 30.0])
    def test_normal_is_the_l2_penalty(self, y, sd):
        theirs = peer(C=sd**2).fit(X, y)
        ours = LogisticRegression(Normal(0, sd), standardise=False).fit(X, y)
        assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)
        assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-7)

    def test_scale_refers_to_standardised_columns_unless_said(self):
        z = (X - X.mean(axis=0)) / X.std(axis=0)
        ours = LogisticRegression(Normal(0, 0.5)).fit(X, Y)
        theirs = peer(C=0.25).fit(z, Y)
        assert_allclose(ours.coef_ * X.std(axis=0), theirs.coef_, atol=1e-6)
        named = pd.DataFrame(X, columns=list("abc"))
        by_column = LogisticRegression(dict.fromkeys("abc", "default")).fit(named, Y)
        assert_allclose(by_column.coef_, LogisticRegression(Normal(0, 2.5)).fit(named, Y).coef_)

    @pytest.mark.parametrize("y", [Y, Y3], ids=["two", "three"])
    @pytest.mark.parametrize("both", [False, True])
    def test_double_exponential_is_the_l1_penalty(self, y, both):
        prior = (DoubleExponential(0, 0.03), Normal(0, 2)) if both else DoubleExponential(0, 0.03)
        model = LogisticRegression(prior, standardise=False).fit(X, y)
        off = model.predict_proba(X) - (y[:, None] == model.classes_)
        off = off[:, 1:] if len(model.coef_) == 1 else off
        slope = (off.T @ X) + (model.coef_ / 4 if both else 0)
        zero = model.coef_ == 0
        assert zero.any()
        assert (~zero).any()
        assert (np.abs(slope[zero]) <= 1 / 0.03 + 1e-6).all()
        assert_allclose(slope[~zero], -np.sign(model.coef_[~zero]) / 0.03, atol=1e-5)
        with pytest.raises(LikelyError, match="no standard errors: an L1 prior"):
            model.standard_errors_  # noqa: B018
        assert "standard error" not in str(model.summary())

    def test_jeffreys_adds_half_a_case_to_every_cell(self):
        a, b, c, d = 9, 0, 4, 20
        x, y = [1] * (a + b) + [0] * (c + d), [1] * a + [0] * b + [1] * c + [0] * d
        model = LogisticRegression("jeffreys").fit({"x": x}, y)
        half = np.array([a, b, c, d]) + 0.5
        assert model.coef_[0, 0] == pytest.approx(np.log(half[0] * half[3] / half[1] / half[2]), rel=1e-6)
        with pytest.warns(LikelyWarning, match="'z' is constant or determined"):
            twice = LogisticRegression("jeffreys").fit({"x": x, "z": x}, y)
        assert_allclose(twice.coef_[0], [model.coef_[0, 0], 0], rtol=1e-6)
        with pytest.raises(LikelyError, match="'jeffreys' is for two classes, and there are 3"):
            LogisticRegression("jeffreys").fit(X, Y3)

    def test_each_coefficient_may_have_its_own(self):
        means, sds = np.array([1.0, -2.0, 0.5]), np.array([0.1, 1.0, 10.0])
        model = LogisticRegression(Normal(means, sds), standardise=False).fit(X, Y)
        slope = X.T @ (model.predict_proba(X)[:, 1] - Y) + (model.coef_[0] - means) / sds**2
        assert_allclose(slope, 0, atol=1e-5)
        by_name = {"x0": Normal(1.0, 0.1), "x1": Normal(-2.0, 1.0), "x2": Normal(0.5, 10.0)}
        again = LogisticRegression(by_name, standardise=False).fit(X, Y)
        assert_allclose(again.coef_, model.coef_, rtol=1e-9)
        joint = MultivariateNormal([0, *means], np.diag([1e8, *sds**2]))
        assert_allclose(LogisticRegression(joint).fit(X, Y).coef_, model.coef_, rtol=1e-6)
        with pytest.raises(LikelyError, match=r"shape \(2,\), and there are 3 coefficients"):
            LogisticRegression(Normal([0, 0], 1)).fit(X, Y)
        with pytest.raises(LikelyError, match="prior names 'age', which is no column"):
            LogisticRegression({"age": Normal(0, 1)}).fit(X, Y)
        with pytest.raises(LikelyError, match="prior=3"):
            LogisticRegression(3).fit(X, Y)

    def test_yesterdays_posterior_is_todays_prior(self):
        rng = np.random.default_rng(0)
        x = rng.normal(size=(4000, 2)) + 3
        y = rng.random(4000) < expit(x @ [1.0, -0.8] - 0.5)
        whole = LogisticRegression().fit(x, y)
        first = LogisticRegression().fit(x[:2000], y[:2000])
        second = LogisticRegression(first.posterior_).fit(x[2000:], y[2000:])
        errors = whole.standard_errors_.ravel()
        assert (np.abs(two(second) - two(whole)) < 0.15 * errors).all()
        assert (np.abs(two(first) - two(whole)) > 0.2 * errors).any()
        assert_allclose(second.standard_errors_.ravel(), errors, rtol=0.02)
        with pytest.raises(LikelyError, match="the prior is of 3 parameters, and there are 4"):
            LogisticRegression(first.posterior_).fit(X, Y)

    @pytest.mark.parametrize("prior", ["default", None], ids=str)
    def test_yesterdays_posterior_of_three_classes(self, prior):
        """Only differences between classes matter: those to the first are where all rows at once put them."""
        rng = np.random.default_rng(1)
        x = rng.normal(size=(4000, 2)) * [1, 10] + [3, 0]
        y = (x @ [[1, 0, -0.5], [0, 0.1, 0.05]] + rng.gumbel(size=(4000, 3))).argmax(axis=1)
        whole = LogisticRegression(prior).fit(x, y)
        first = LogisticRegression(prior).fit(x[:2000], y[:2000])
        second = LogisticRegression(first.posterior_).fit(x[2000:], y[2000:])
        apart = np.kron(np.array([[-1.0, 1, 0], [-1, 0, 1]]), np.eye(3))
        at = [apart @ np.column_stack([m.intercept_, m.coef_]).ravel() for m in (whole, first, second)]
        errors = [np.sqrt(np.diagonal(apart @ m.covariance_ @ apart.T)) for m in (whole, second)]
        assert (np.abs(at[2] - at[0]) < 0.15 * errors[0]).all()
        assert (np.abs(at[1] - at[0]) > 0.2 * errors[0]).any()
        assert_allclose(errors[1], errors[0], rtol=0.05)
        assert_allclose(
            apart @ first.posterior_.covariance @ apart.T, apart @ first.covariance_ @ apart.T, rtol=1e-9
        )

    def test_each_coefficient_of_each_class_may_have_its_own(self):
        means, sds = RNG.normal(size=(3, 3)), RNG.gamma(2, 1, (3, 3))
        model = LogisticRegression(Normal(means, sds), standardise=False).fit(X, Y3)
        off = model.predict_proba(X) - (Y3[:, None] == model.classes_)
        assert_allclose(off.T @ X + (model.coef_ - means) / sds**2, 0, atol=1e-5)

    def test_evidence_is_the_integral_over_the_parameters(self):
        x, y, sd = X[:60, :1], Y[:60], 1.5
        model = LogisticRegression(Normal(0, sd), standardise=False).fit(x, y)
        a, b = np.meshgrid(np.linspace(-8, 8, 401), np.linspace(-8, 8, 401))
        odds = a[..., None] + b[..., None] * x[:, 0]
        logs = -np.logaddexp(0, np.where(y == 1, -odds, odds)).sum(axis=-1) + Normal(0, sd).log_prob(b)
        assert model.log_evidence_ == pytest.approx(logsumexp(logs) + 2 * np.log(16 / 400), abs=0.05)
        with pytest.raises(LikelyError, match="only a smooth prior"):
            LogisticRegression(DoubleExponential()).fit(x, y).log_evidence_  # noqa: B018

    @pytest.mark.parametrize("y", [Y, Y3], ids=["two", "three"])
    def test_validated_predicts_best_what_was_left_out(self, y):
        """Against cross-validation with the same folds, model by model."""
        noisy = np.column_stack([X, RNG_NOISE.normal(size=(N, 20))])[:80]
        model = LogisticRegression("validated", standardise=False).fit(noisy, y[:80])
        sd = float(model.prior_.sd)
        losses = {
            by: cross_validate(
                LogisticRegression(Normal(0, sd * by), standardise=False), noisy, y[:80]
            ).log_loss
            for by in (0.3, 0.7, 1, 1.4, 3)
        }
        assert losses[1] <= min(losses.values()) + 1e-4
        assert losses[0.3] > losses[1] + 1e-3
        assert losses[3] > losses[1] + 1e-3
        assert_allclose(
            model.coef_,
            LogisticRegression(Normal(0, sd), standardise=False).fit(noisy, y[:80]).coef_,
            atol=1e-6,
        )

    def test_auto_validates_where_evidence_would_take_too_large_a_matrix(self, monkeypatch):
        monkeypatch.setattr("likely.models.regression.logistic.prior_strength.LARGEST", 3)
        by_validation = LogisticRegression("auto").fit(X, Y)
        assert float(by_validation.prior_.sd) == float(LogisticRegression("validated").fit(X, Y).prior_.sd)


class TestTables:
    people = pd.DataFrame(
        {
            "age": [22.0, 38, np.nan, 35, 54, 2, 27, 14, 4, 58, np.nan, 39],
            "class": ["a", "b", "b", None, "c", "c", "a", "b", "a", "c", "a", "b"],
            "paid": [True, False, True, False, True, True, False, True, True, False, False, True],
            "well": ["n", "y", "y", "n", "n", "y", "y", "y", "n", "n", "y", "n"],
        }
    )

    def test_mixed_kinds(self):
        model = LogisticRegression(Normal(0, 1)).fit(self.people, "well")
        assert model.coef_names_ == (
            "age", "paid", "class=a", "class=b", "class=c", "age missing", "class missing",
        )  # fmt: skip
        age = self.people["age"]
        levels = [(self.people["class"] == level) * 1.0 for level in "abc"]
        gaps = [age.isna() * 1.0, self.people["class"].isna() * 1.0]
        z = np.column_stack(
            [(age.fillna(age.mean()) - age.mean()) / age.std(ddof=0), self.people["paid"], *levels, *gaps]
        )
        theirs = peer().fit(z, self.people["well"])
        assert_allclose(
            model.predict_proba(self.people.drop(columns="well")), theirs.predict_proba(z), atol=1e-7
        )

    def test_without_a_prior_levels_are_compared_with_the_first(self):
        table = {"c": list("aaaabbbbcccc")}
        y = [0, 0, 0, 1, 0, 1, 1, 1, 0, 0, 1, 1]
        model = LogisticRegression(None).fit(table, y)
        assert model.coef_names_ == ("c=b", "c=c")
        assert_allclose(two(model), [np.log(1 / 3), np.log(3) - np.log(1 / 3), 0 - np.log(1 / 3)], atol=1e-7)

    def test_a_level_never_seen_adds_nothing(self):
        model = LogisticRegression().fit(self.people, "well")
        row = {"age": [np.nan, 30.0], "class": ["z", None], "paid": [None, True]}
        ledger = model.explain(row, "y")[0]
        assert [(line.name, line.note) for line in ledger.lines][1] == ("class", "never seen")
        assert ledger.lines[1].evidence == 0
        assert np.isfinite(model.predict_proba(row)).all()

    def test_sparse_is_dense(self):
        x = np.where(RNG.random((N, 3)) < 0.6, 0, X)
        x[3, 1] = np.nan
        dense = LogisticRegression().fit(x, Y3)
        sparse = LogisticRegression().fit(csr_array(x), Y3)
        assert dense.coef_names_[-1] == "x1 missing"
        assert_allclose(sparse.coef_, dense.coef_, atol=1e-9)
        assert_allclose(sparse.predict_proba(csr_array(x)), dense.predict_proba(x), atol=1e-9)

    def test_texts(self):
        texts = ["good good film", "bad film", "good", "bad bad", None, "good fun"]
        model = LogisticRegression(kinds={"t": "text"}).fit({"t": texts}, [1, 0, 1, 0, 0, 1])
        by_name = dict(zip(model.coef_names_, model.coef_[0], strict=True))
        assert by_name["t: good"] > 0.5 > -0.5 > by_name["t: bad"]
        assert model.predict({"t": ["good", "bad bad"]}).tolist() == [1, 0]

    def test_many_levels_are_kept_sparse(self):
        names = np.array([f"level {i}" for i in range(520)])
        codes = RNG.integers(0, 520, 3000)
        y = (RNG.random(3000) < expit(np.sin(codes))).astype(int)
        table = {"c": names[codes], "x": RNG.normal(size=3000)}
        model = LogisticRegression(Normal(0, 1)).fit(table, y)
        order = np.array([sorted(names).index(name) for name in names])
        z = np.column_stack([table["x"] / table["x"].std(), np.eye(520)[order[codes]]])
        assert_allclose(model.predict_proba(table), peer().fit(z, y).predict_proba(z), atol=1e-6)

    def test_values_that_no_model_can_use(self):
        for bad, said in ((np.inf, "infinity: column 'x1', row 2"), (1e300, "column 'x1', row 2")):
            x = X.copy()
            x[2, 1] = bad
            with pytest.raises(LikelyError, match=said):
                LogisticRegression().fit(x, Y)
        x[2, 1] = np.inf
        with pytest.raises(LikelyError, match="infinity: column 'x1', row 2"):
            LogisticRegression().fit(X, Y).predict(x)
        x[2, 1] = 1e300  # too large to learn from, but a sum can be taken
        assert LogisticRegression().fit(X, Y).predict_proba(x)[2].tolist() in ([0, 1], [1, 0])
        with pytest.raises(LikelyError, match="one class only, 1"):
            LogisticRegression().fit(X, np.ones(N))
        with pytest.raises(LikelyError, match="solver='sgd'"):
            LogisticRegression(solver="sgd").fit(X, Y)

    def test_columns_without_any_value(self):
        table = {"a": [np.nan] * 4, "b": [1.0, 2, 3, 4]}
        model = LogisticRegression(kinds="quantitative").fit(table, [0, 1, 0, 1])
        assert np.isfinite(model.predict_proba(table)).all()
        assert np.isfinite(two(model)).all()


class TestRows:
    def test_weights_are_rows(self):
        weight = RNG.integers(0, 4, N)
        ours = LogisticRegression().fit(X, Y3, sample_weight=weight)
        rows = np.repeat(np.arange(N), weight)
        assert_allclose(ours.coef_, LogisticRegression().fit(X[rows], Y3[rows]).coef_, atol=1e-7)

    def test_threads_change_no_bit(self):
        x = RNG.normal(size=(40_000, 5))
        y = (x[:, 0] + RNG.logistic(size=40_000) > 0).astype(int)
        one, many = (LogisticRegression(n_jobs=jobs).fit(x, y) for jobs in (None, 3))
        assert (one.coef_ == many.coef_).all()
        assert (one.predict_proba(x) == many.predict_proba(x)).all()

    @pytest.mark.parametrize("classes", [2, 3])
    def test_many_rows_begin_with_a_few(self, classes):
        rng = np.random.default_rng(1)
        x = rng.normal(size=(50_000, 3)) @ rng.normal(size=(3, 3))
        y = (x @ rng.normal(size=(3, classes)) + rng.gumbel(size=(50_000, classes))).argmax(axis=1)
        ours = LogisticRegression(Normal(0, 1), standardise=False).fit(x, y)
        assert_allclose(ours.coef_, peer().fit(x, y).coef_, atol=1e-6)
        p, z = ours.predict_proba(x), np.column_stack([np.ones(len(x)), x])
        if classes == 2:
            curvature = (z.T * (p[:, 0] * p[:, 1])) @ z + np.diag([0, 1, 1, 1])
            assert_allclose(ours.covariance_, np.linalg.inv(curvature), rtol=1e-6)

    @pytest.mark.parametrize("prior", [Normal(0, 1), DoubleExponential(0, 0.5)], ids=["l2", "l1"])
    def test_thousands_of_columns(self, prior):
        rng = np.random.default_rng(2)
        x = csr_array(np.where(rng.random((300, 2100)) < 0.02, rng.random((300, 2100)), 0.0))
        y = (np.asarray(x[:, :40].sum(axis=1)) + RNG.normal(size=300) > 0.4).astype(int)
        model = LogisticRegression(prior, standardise=False, tol=1e-7, max_iter=1000).fit(x, y)
        slope = (model.predict_proba(x)[:, 1] - y) @ x
        w = model.coef_[0]
        if isinstance(prior, Normal):
            assert_allclose(slope + w, 0, atol=1e-4)
        else:
            assert (np.abs(slope[w == 0]) <= 2 + 1e-4).all()
            assert_allclose(slope[w != 0], -2 * np.sign(w[w != 0]), atol=1e-4)
        with pytest.raises(LikelyError, match="thousands of coefficients"):
            model.predict_interval(x)

    def test_warm_start(self):
        cold = LogisticRegression(Normal(0, 2.5)).fit(X, Y)
        warm = LogisticRegression(Normal(0, 2.5), warm_start=True).fit(X, Y).fit(X, Y)
        assert warm.n_iter_ <= 1 < cold.n_iter_
        assert_allclose(warm.coef_, cold.coef_, rtol=1e-7)

    def test_pickle_and_clone(self):
        model = LogisticRegression(Normal(0, 2)).fit(X, Y)
        assert (pickle.loads(pickle.dumps(model)).predict_proba(X) == model.predict_proba(X)).all()
        assert clone(model).prior is not None


class TestAnswers:
    @pytest.mark.parametrize("y", [Y, Y3], ids=["two", "three"])
    def test_the_ledger_adds_up(self, y):
        model = LogisticRegression().fit(X, y)
        ledgers = model.explain(X)
        logs = np.sort(model.predict_log_proba(X), axis=1)
        assert_allclose(ledgers.total, logs[:, -1] - logs[:, -2], atol=1e-10)
        pair = model.explain(X, model.classes_[1], model.classes_[0])
        logs = model.predict_log_proba(X)
        assert_allclose(pair.total, logs[:, 1] - logs[:, 0], atol=1e-10)
        scores = model.coef_[-1] - (0 if len(model.coef_) == 1 else model.coef_[0])
        last = model.explain(X, model.classes_[-1], model.classes_[0])
        assert_allclose(last.terms, scores * (X - X.mean(axis=0)), atol=1e-10)
        at_means = model.predict_log_proba(X.mean(axis=0)[None, :])[0]
        assert_allclose(last.base, at_means[-1] - at_means[0], atol=1e-10)

    def test_the_baseline_is_no_base_rate_and_is_not_called_so(self):
        """Numbers at their means, and no level; without a prior, the first level."""
        table = {"x": X[:, 0], "c": np.where(X[:, 1] > 3, "a", "b")}
        for prior, levels in (("default", ["never seen"]), (None, ["a"])):
            model = LogisticRegression(prior).fit(table, Y)
            ledger = model.explain({"x": X[:1, 0], "c": ["b"]}, 1, 0)[0]
            base = model.predict_log_proba({"x": [X[:, 0].mean()], "c": levels})[0]
            assert ledger.base == pytest.approx(base[1] - base[0], abs=1e-10)
            assert abs(ledger.base - np.log(Y.mean() / (1 - Y.mean()))) > 0.05
            assert "base rate" not in str(ledger)
            assert str(ledger).splitlines()[3].startswith("baseline ")
            assert "baseline" in ledger._repr_html_()
            assert ledger.to_dict()["baseline"] == ledger.base
        assert model.explain(table).to_frame()["baseline"].shape == (N,)

    def test_levels_of_intervals_are_probabilities(self):
        model = LogisticRegression().fit(X, Y)
        for level in (95, 0, 1, True, "95 %"):
            with pytest.raises(LikelyError, match=r"level=.*above 0 and below 1"):
                model.summary(level)
            with pytest.raises(LikelyError, match=r"level=.*above 0 and below 1"):
                model.predict_interval(X, level)

    def test_intervals_of_probabilities(self):
        """Of two classes the ends have a closed form; 4000 draws place them at 5 % give or take 0.35 %."""
        model = LogisticRegression().fit(X, Y)
        found = model.predict_interval(X[:50], 0.9, draws=4000)
        z = np.column_stack([np.ones(50), X[:50]])
        sd = np.sqrt(np.einsum("na,ab,nb->n", z, model.covariance_, z))
        odds = model.decision_function(X[:50])
        for side, end in ((-1, found.lower), (1, found.upper)):
            reached = (np.log(end[:, 1] / (1 - end[:, 1])) - odds) / sd
            assert_allclose(reached, side * 1.645, atol=0.15)
        assert_allclose(found.probability, model.predict_proba(X[:50]))

    def test_intervals_of_three_classes_shrink_with_rows(self):
        few = LogisticRegression().fit(X[:100], Y3[:100]).predict_interval(X[:20])
        many = LogisticRegression().fit(X, Y3).predict_interval(X[:20])
        ratio = (few.upper - few.lower).mean() / (many.upper - many.lower).mean()
        assert 1.5 < ratio < 2.7  # about the root of 4
        assert ((many.lower <= many.probability) & (many.probability <= many.upper)).all()

    def test_logs_keep_their_digits(self):
        model = LogisticRegression().fit(X, Y)
        far = [[-1e4, 3.0, 1.0]]
        assert model.predict_log_proba(far)[0, 1] < -5000
        assert model.predict_proba(far)[0, 0] == 1

    def test_the_summary_says_that_levels_are_known_against_each_other(self):
        """The error of a difference is small, as without a prior; that of a level is the prior's."""
        people = likely.read("titanic", into="pandas")
        model, plain = (LogisticRegression(prior).fit(people, "survived") for prior in (Normal(0, 2.5), None))
        assert "well known only against each other" in str(model.summary())
        for said in (
            plain,
            LogisticRegression().fit(X, Y),
            LogisticRegression(DoubleExponential()).fit(people, "survived"),
        ):
            assert "against each other" not in str(said.summary())
        male, female = (1 + model.coef_names_.index(f"sex={sex}") for sex in ("male", "female"))
        away = np.zeros(len(model.covariance_))
        away[[male, female]] = 1, -1
        error = np.sqrt(away @ model.covariance_ @ away)
        assert error == pytest.approx(
            plain.standard_errors_[0, 1 + plain.coef_names_.index("sex=male")], rel=0.01
        )
        assert model.standard_errors_[0, male] == pytest.approx(2.5 / np.sqrt(2), rel=0.01)

    def test_summary_in_the_frame_that_came_in(self):
        table = LogisticRegression().fit(pd.DataFrame(X, columns=list("abc")), Y3).summary()
        assert isinstance(table.to_frame(), pd.DataFrame)
        assert len(table.to_frame()) == 12
        assert "log-likelihood" in str(table)


class TestOnline:
    """w += eta (y - p) x settles where Newton does if eta decays, and stays away if it does not."""

    def test_a_decaying_rate_settles(self):
        exact = LogisticRegression(Normal(0, 2.5)).fit(X, Y)
        errors = exact.standard_errors_.ravel()
        far = []
        for passes in (10, 150):
            online = LogisticRegression(solver="online", max_iter=passes).fit(X, Y)
            far.append(np.abs((two(online) - two(exact)) / errors).max())
        constant = LogisticRegression(solver="online", max_iter=50, rate=0.2).fit(X, Y)
        assert far[1] < 0.05 < far[0]
        assert np.abs((two(constant) - two(exact)) / errors).max() > 4 * far[1]

    def test_it_settles_at_the_maximum_of_the_likelihood(self):
        exact = LogisticRegression(None).fit(X, Y)
        far = []
        for passes in (10, 100, 500):
            online = LogisticRegression(None, solver="online", max_iter=passes).fit(X, Y)
            far.append(np.abs((two(online) - two(exact)) / exact.standard_errors_.ravel()).max())
        assert far[0] > 4 * far[1] > 16 * far[2]
        assert far[2] < 0.005

    def test_it_settles_at_the_maximum_of_the_likelihood_of_three_classes(self):
        exact = LogisticRegression(None).fit(X, Y3).predict_proba(X)
        far = []
        for passes in (20, 200):
            online = LogisticRegression(None, solver="online", max_iter=passes).fit(X, Y3)
            far.append(np.abs(online.predict_proba(X) - exact).max())
        assert far[0] > 4 * far[1]
        assert far[1] < 0.02

    @pytest.mark.parametrize("scale", first(1, [1e3, 1.0, 1e-3]))
    @pytest.mark.parametrize("prior", [None, Normal(0, 0.1)], ids=["ml", "l2"])
    def test_weights_are_those_of_newton(self, prior, scale):
        """However large they are; the prior counts beside them as it does for Newton's method."""
        weight = scale * np.random.default_rng(4).integers(0, 4, N)
        exact = LogisticRegression(prior).fit(X, Y, weight)
        online = LogisticRegression(prior, solver="online", max_iter=150).fit(X, Y, weight)
        assert np.abs(online.predict_proba(X) - exact.predict_proba(X)).max() < 0.005

    @pytest.mark.parametrize("rows", [1, 10, 500, 2000])
    def test_a_stream_teaches_the_same_in_small_and_large_batches(self, rows):
        """To about the standard errors, which is what a single pass can do."""
        rng = np.random.default_rng(8)
        x = rng.normal(size=(2000, 3))
        y = (rng.random(2000) < expit(x @ [1, -1, 0.5] + 0.3)).astype(int)
        exact = LogisticRegression(None).fit(x, y)
        model = LogisticRegression(None).partial_fit(x[:5], y[:5], classes=[0, 1])
        for start in range(5, 2000, rows):
            model.partial_fit(x[start : start + rows], y[start : start + rows])
        off = (two(model) - two(exact)) / exact.standard_errors_[0]
        assert np.sqrt(np.square(off).mean()) < 1.5

    def test_rows_that_come_after_a_fit_do_not_overthrow_it(self):
        model = LogisticRegression(None).fit(X, Y)
        before, errors = two(model), model.standard_errors_.ravel()
        model.partial_fit(X[:1], 1 - Y[:1])
        assert 0 < np.abs((two(model) - before) / errors).max() < 1
        model = LogisticRegression(None).fit(X, Y).partial_fit(X[:1], 1 - Y[:1], sample_weight=[1e6])
        assert np.abs((two(model) - before) / errors).max() < 10

    def test_three_classes(self):
        exact = LogisticRegression(Normal(0, 2.5)).fit(X, Y3).predict_proba(X)
        online = LogisticRegression(solver="online", max_iter=80).fit(X, Y3).predict_proba(X)
        assert np.abs(online - exact).max() < 0.02

    def test_partial_fit_learns_row_by_row(self):
        model = LogisticRegression(None, rate=0.1, kinds="quantitative")
        model.partial_fit(X[:2], Y[:2], classes=[0, 1])
        centre, scale = X[:2].mean(axis=0), X[:2].std(axis=0)
        w = np.zeros(4)
        for x, y in zip(X[:50], Y[:50], strict=True):
            z = np.concatenate([[1], (x - centre) / scale])
            w += 0.1 * (y - expit(w @ z)) * z
        model.partial_fit(X[2:50], Y[2:50])
        assert_allclose(model.coef_[0], w[1:] / scale, rtol=1e-9)
        assert model.record_.steps == 50

    def test_what_it_cannot_do(self):
        with pytest.raises(LikelyError, match="'auto' needs all rows at once"):
            LogisticRegression("auto", solver="online").fit(X, Y)
        with pytest.raises(LikelyError, match="which is none of the classes"):
            LogisticRegression().partial_fit(X, Y).partial_fit(X, Y + 5)
        joint = MultivariateNormal(np.zeros(4), np.eye(4))
        with pytest.raises(LikelyError, match="a joint prior needs all rows at once"):
            LogisticRegression(joint, solver="online").fit(X, Y)
        for rate in (-1.0, 0, np.nan, np.inf, "fast"):
            with pytest.raises(LikelyError, match=r"rate=.*a number above 0"):
                LogisticRegression(rate=rate).partial_fit(X, Y)

    @pytest.mark.parametrize(
        "prior",
        [Normal(1, 1e-3), Normal([1.0, 0, -1], 0.2), (Normal(0, 1), DoubleExponential([0.5, 0, 0], 0.02))],
        ids=["strong", "means", "both"],
    )
    def test_priors_are_those_of_newton(self, prior):
        """However strong they are: the prior's share of a step cannot overshoot."""
        exact = LogisticRegression(prior).fit(X, Y)
        online = LogisticRegression(prior, solver="online", max_iter=150).fit(X, Y)
        assert np.abs(online.predict_proba(X) - exact.predict_proba(X)).max() < 0.01


class TestAverage:
    """Missing numbers averaged over P(missing given known): the generative answer, where that is true."""

    @staticmethod
    def table(g: int, n: int = 20_000):
        rng = np.random.default_rng(7)
        y = rng.integers(0, g, n)
        means = np.array([[0, 0, 0], [1.5, -1, 0.5], [-1, 2, 1]])[:g]
        half = np.array([[1, 0, 0], [0.7, 0.8, 0], [-0.4, 0.5, 1.2]])
        return means[y] + rng.normal(size=(n, 3)) @ half.T, y, means, half @ half.T

    @pytest.mark.parametrize("g", [2, 3])
    def test_equals_the_generative_answer_on_gaussian_data(self, g):
        x, y, means, covariance = self.table(g)
        model = LogisticRegression(missing="average").fit(x, y)
        for gone in ([2], [0, 1], [0, 1, 2]):
            some = x[:200].copy()
            some[:, gone] = np.nan
            known = [j for j in range(3) if j not in gone]
            inner = np.linalg.inv(covariance[np.ix_(known, known)])
            apart = some[:, None, known] - means[None][:, :, known]
            logs = -0.5 * np.einsum("bgi,ij,bgj->bg", apart, inner, apart)
            truth = np.exp(logs - logsumexp(logs, axis=1)[:, None])
            assert np.abs(model.predict_proba(some) - truth).max() < 0.03 * (g - 1)  # of 20,000 rows
            plain = LogisticRegression().fit(x, y).predict_proba(some)
            if gone == [0, 1]:
                assert np.abs(plain - truth).max() > 0.1

    @pytest.mark.parametrize(("g", "off"), [(2, 1e-6), (3, 0.02)])
    def test_is_the_integral_over_what_is_missing(self, g, off):
        """With the coefficients that the model beside implies: to quadrature (2) or to draws (3)."""
        x, y, _, _ = self.table(g, 2000)
        record = LogisticRegression(missing="average").fit(x, y).record_
        beside = record.beside
        slopes = np.linalg.solve(beside.covariance, beside.mean.T).T
        theta = np.column_stack([beside.log_share - 0.5 * (slopes * beside.mean).sum(axis=1), slopes])
        record = replace(record, theta=theta if g == 3 else theta[1:] - theta[:1])
        some = x[:100].copy()
        some[:, 1] = np.nan
        z = ((some - x.mean(axis=0)) / x.std(axis=0))[:, [0, 2]]
        within = beside.covariance[np.ix_([0, 2], [0, 2])]
        logs = [stats.multivariate_normal(mean, within).logpdf(z) for mean in beside.mean[:, [0, 2]]]
        logs = np.array(logs).T + beside.log_share
        truth = np.exp(logs - logsumexp(logs, axis=1)[:, None])
        found = np.exp(record.posterior(Frame.of(some), engine_for(None)))
        assert np.abs(found - truth).max() < off

    def test_complete_rows_are_left_alone_and_incomplete_ones_do_not_teach(self):
        x, y, _, _ = self.table(2, 500)
        holed = np.concatenate([x, np.where(RNG.random(x.shape) < 0.5, np.nan, x)])
        whole = ~np.isnan(holed).any(axis=1)
        model = LogisticRegression(missing="average").fit(holed, np.tile(y, 2))
        plain = LogisticRegression().fit(holed[whole], np.tile(y, 2)[whole])
        assert_allclose(model.predict_proba(x), plain.predict_proba(x), atol=1e-9)
        ledgers = model.explain(holed)
        logs = np.sort(model.predict_log_proba(holed), axis=1)
        assert_allclose(ledgers.total, logs[:, 1] - logs[:, 0], atol=1e-9)
        with pytest.raises(LikelyError, match="intervals of rows with missing numbers"):
            model.predict_interval(holed)
        assert model.predict_interval(x[:3]).lower.shape == (3, 2)

    def test_what_cannot_be_done(self):
        with pytest.raises(LikelyError, match="missing='drop'"):
            LogisticRegression(missing="drop").fit(X, Y)
        with pytest.raises(LikelyError, match="there are none"):
            LogisticRegression(missing="average").fit(
                np.where(np.eye(4)[:, :3] == 1, np.nan, 1.0)[:3], [0, 1, 0]
            )
        with pytest.raises(LikelyError, match="use solver='newton'"):
            LogisticRegression(missing="average", solver="online").fit(X, Y)
        with pytest.raises(LikelyError, match="and fit all rows"):
            LogisticRegression(missing="average").fit(X, Y).partial_fit(X, Y)

    def test_missing_booleans(self):
        """Nearly the sum over both values; the normal distribution beside is not made for two values."""
        rng = np.random.default_rng(0)
        b = rng.random(20_000) < 0.8
        x = rng.normal(size=20_000) + b
        y = rng.random(20_000) < expit(2 * b + 0.5 * x - 2)
        model = LogisticRegression(missing="average").fit({"b": b, "x": x}, y)
        at = np.array([-1.0, 0.0, 1.0, 2.0, 3.0])
        weights = np.array([0.2 * stats.norm.pdf(at), 0.8 * stats.norm.pdf(at - 1)])
        truth = (weights * expit([0.5 * at - 2, 0.5 * at])).sum(axis=0) / weights.sum(axis=0)
        found = model.predict_proba({"b": np.full(5, None), "x": at})[:, 1]
        assert np.abs(found - truth).max() < 0.06


@pytest.mark.filterwarnings("ignore::likely.errors.LikelyWarning")
@pytest.mark.parametrize("prior", ["default", None, "jeffreys", "auto", DoubleExponential(0, 1)], ids=str)
class TestEdges:
    def test_units_do_not_matter(self, prior):
        x, y = np.array([1.0, 2.0, -3.0, 4.0, 0.5]), [0, 1, 0, 1, 1]
        answers = [
            LogisticRegression(prior).fit({"x": unit * x}, y).predict_proba({"x": unit * x})
            for unit in (1.0, 2.0**400, 2.0**-400)
        ]
        assert_allclose(answers[1], answers[0], atol=1e-6)
        assert_allclose(answers[2], answers[0], atol=1e-6)

    def test_a_constant_column_leaves_the_base_rate(self, prior):
        p = LogisticRegression(prior).fit({"x": [7.0, 7.0, 7.0]}, ["a", "b", "b"]).predict_proba({"x": [9.0]})
        half = 0.5 if prior == "jeffreys" else 0.0
        assert_allclose(p, [[(1 + half) / (3 + 2 * half), (2 + half) / (3 + 2 * half)]], atol=1e-6)

    def test_nothing_is_nan(self, prior):
        table = {
            "x": [None, None, None, None],
            "c": [None, "a", "b", "b"],
            "z": [1.0, 1, 2, 2],
            "w": [1.0, 1, 2, 2],
        }
        p = LogisticRegression(prior).fit(table, [0, 1, 0, 1]).predict_proba(table)
        assert np.isfinite(p).all()
        assert_allclose(p.sum(axis=1), 1)
