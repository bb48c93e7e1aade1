"""Linear regression against closed forms, scikit-learn, SciPy and brute force."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from scipy.sparse import csr_array
from sklearn.linear_model import Ridge
from sklearn.linear_model import RidgeClassifier as PeerClassifier
from sklearn.neighbors import NearestCentroid
from sklearn_checks import estimator_checks

from likely import (
    BasicLinearClassifier,
    DoubleExponential,
    Gamma,
    LeastSquaresClassifier,
    LikelyError,
    LikelyWarning,
    LinearRegression,
    MultivariateNormal,
    Normal,
    total_least_squares,
)

RNG = np.random.default_rng(8)
N = 120
X = RNG.normal(size=(N, 3)) * [1, 4, 0.2] + [0, 3, 1]
Y = 2 + X @ [1.5, -0.2, 0.5] + RNG.normal(size=N)
WEIGHT = RNG.gamma(2, 1, N)


@pytest.mark.filterwarnings("ignore::likely.errors.LikelyWarning")
@estimator_checks(
    *(LinearRegression(), LeastSquaresClassifier(), BasicLinearClassifier()),
    rarely=[LinearRegression(Normal(0, 1)), LinearRegression(DoubleExponential(0, 1))],
)
def test_estimator_checks(estimator, check):
    check(estimator)


def design(x):
    return np.column_stack([np.ones(len(x)), x])


def conditioned(number: float, n: int = 500, d: int = 8):
    rng = np.random.default_rng(int(np.log10(number)))
    u, _ = np.linalg.qr(rng.normal(size=(n, d)))
    v, _ = np.linalg.qr(rng.normal(size=(d, d)))
    return (u * np.geomspace(1, 1 / number, d) * np.sqrt(n)) @ v.T


class TestLeastSquares:
    @pytest.mark.parametrize("number", [10.0, 1e2, 1e3, 1e4])
    def test_closed_form_to_ten_digits(self, number):
        x = conditioned(number)
        truth = np.arange(1.0, 9.0)
        y = 3 + x @ truth + np.random.default_rng(0).normal(size=500) * 1e-3
        ours = LinearRegression().fit(x, y)
        best = np.linalg.lstsq(design(x), y)[0]
        error = np.abs(np.append(ours.intercept_, ours.coef_) - best).max()
        assert error <= 1e-10 * np.abs(best).max()

    @pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
    def test_normal_equations(self, weight):
        model = LinearRegression().fit(X, Y, sample_weight=weight)
        mine = np.ones(N) if weight is None else weight
        left = Y - model.predict(X)
        assert_allclose(design(X).T @ (mine * left), 0, atol=1e-9)
        assert model.noise_variance_ == pytest.approx((mine * left**2).sum() / mine.sum(), rel=1e-10)

    def test_one_column_by_hand(self):
        """Slope = covariance / variance, and the line goes through the means."""
        model = LinearRegression().fit(X[:, :1], Y)
        slope = np.cov(X[:, 0], Y, ddof=0)[0, 1] / X[:, 0].var()
        assert_allclose(model.coef_, [slope], rtol=1e-12)
        assert model.intercept_ == pytest.approx(Y.mean() - slope * X[:, 0].mean(), rel=1e-12)
        peer = stats.linregress(X[:, 0], Y)
        assert_allclose(model.standard_errors_, [peer.intercept_stderr, peer.stderr], rtol=1e-10)
        assert model.summary().to_frame()["p"][1] == pytest.approx(peer.pvalue, rel=1e-8)

    def test_prediction_intervals_of_the_textbook(self):
        model = LinearRegression().fit(X, Y)
        z = design(X)
        inverse = np.linalg.inv(z.T @ z)
        s2 = np.square(Y - model.predict(X)).sum() / (N - 4)
        reach = stats.t.ppf(0.95, N - 4) * np.sqrt(s2 * (1 + np.einsum("na,ab,nb->n", z, inverse, z)))
        found = model.predict_interval(X, 0.9)
        assert_allclose(found.lower, model.predict(X) - reach, rtol=1e-9)
        assert_allclose(found.upper, model.predict(X) + reach, rtol=1e-9)
        assert_allclose(model.standard_errors_, np.sqrt(s2 * np.diag(inverse)), rtol=1e-9)
        assert "outcomes of 120 rows, with 90 % intervals" in str(found)

    def test_coverage_of_new_outcomes(self):
        """4000 outcomes: 90 % give or take 1.9 %, four standard errors (false alarm 1 in 15,000)."""
        rng = np.random.default_rng(1)
        inside = []
        for _ in range(40):
            x = rng.normal(size=(112, 3))
            y = x @ [1.0, 2.0, 0.0] + rng.normal(size=112)
            found = LinearRegression().fit(x[:12], y[:12]).predict_interval(x[12:], 0.9)
            inside.append(((found.lower < y[12:]) & (y[12:] < found.upper)).mean())
        spread = np.std(inside) / np.sqrt(len(inside))  # outcomes share their model, so by models
        assert np.mean(inside) == pytest.approx(0.9, abs=4 * spread)

    def test_collinear_and_constant_columns(self):
        more = np.column_stack([X, X[:, 0] + X[:, 1], np.full(N, 7.0)])
        with pytest.warns(
            LikelyWarning, match="'x3', 'x4' are constant or determined by the columns before"
        ) as said:
            model = LinearRegression().fit(more, Y)
        assert model.coef_[3:].tolist() == [0, 0]
        assert_allclose(model.coef_[:3], LinearRegression().fit(X, Y).coef_, rtol=1e-9)
        assert np.isinf(model.standard_errors_[4:]).all()
        assert len(said) == 1
        assert said[0].filename == __file__  # whoever fits is told, not the insides

    @pytest.mark.parametrize("prior", [None, Normal(0, 1), DoubleExponential(0, 0.1)], ids=["ml", "l2", "l1"])
    def test_a_shift_changes_the_intercept_alone(self, prior):
        left = (X + 1e9) - 1e9  # the digits that such a shift leaves
        far, near = LinearRegression(prior).fit(X + 1e9, Y), LinearRegression(prior).fit(left, Y)
        parts = [LinearRegression(prior).fit(X[rows] + 1e9, Y[rows]) for rows in (slice(50), slice(50, N))]
        for model in (far, sum(parts), parts[0].partial_fit(X[50:] + 1e9, Y[50:])):
            assert_allclose(model.coef_, near.coef_, rtol=1e-9)
            assert_allclose(model.predict(X + 1e9), near.predict(left), atol=1e-7)  # the last digit of 1e9
            assert model.noise_variance_ == pytest.approx(near.noise_variance_, rel=1e-9)
        if not isinstance(prior, DoubleExponential):
            assert_allclose(far.standard_errors_[1:], near.standard_errors_[1:], rtol=1e-9)
            found, plain = far.predict_interval(X + 1e9), near.predict_interval(left)
            assert_allclose(found.upper, plain.upper, atol=1e-7)

    def test_a_perfect_fit(self):
        model = LinearRegression().fit(X, X @ [1.0, 2, 3] + 4)
        assert_allclose(model.coef_, [1, 2, 3], rtol=1e-12)
        assert model.noise_variance_ < 1e-24
        assert np.isfinite(model.predict_interval(X).lower).all()

    def test_fewer_rows_than_coefficients(self):
        with pytest.warns(LikelyWarning, match="no unique maximum"):
            model = LinearRegression().fit(X[:2], Y[:2])
        assert_allclose(model.predict(X[:2]), Y[:2])
        with pytest.raises(LikelyError, match="2 rows leave nothing to tell the noise from"):
            model.predict_distribution(X)


class TestPriors:
    @pytest.mark.parametrize("sd", [0.05, 1.0, 20.0])
    def test_normal_is_ridge(self, sd):
        ours = LinearRegression(Normal(0, sd), standardise=False).fit(X, Y)
        peer = Ridge(alpha=1 / sd**2, solver="cholesky", tol=1e-12).fit(X, Y)
        assert_allclose(ours.coef_, peer.coef_, rtol=1e-9)
        assert ours.intercept_ == pytest.approx(peer.intercept_, rel=1e-9)

    def test_scale_refers_to_standardised_columns_unless_said(self):
        unit = X.std(axis=0)
        ours = LinearRegression(Normal(0, 0.5)).fit(X, Y)
        peer = Ridge(alpha=4, solver="cholesky").fit(X / unit, Y)
        assert_allclose(ours.coef_ * unit, peer.coef_, rtol=1e-9)

    @pytest.mark.parametrize("both", [False, True])
    def test_double_exponential_is_the_lasso(self, both):
        """X'(y - Xw) = sigma / scale times the sign, and no more where w is 0."""
        sharp = DoubleExponential(0, 0.04)
        prior = (sharp, Normal(0, 3)) if both else sharp
        model = LinearRegression(prior, standardise=False).fit(X, Y)
        sigma = np.sqrt(model.noise_variance_)
        slope = (X - X.mean(axis=0)).T @ (Y - model.predict(X)) - (model.coef_ / 9 if both else 0)
        zero = model.coef_ == 0
        assert zero.any()
        assert (~zero).any()
        assert (np.abs(slope[zero]) <= sigma / 0.04).all()
        assert_allclose(slope[~zero], np.sign(model.coef_[~zero]) * sigma / 0.04, rtol=1e-8)
        assert (Y - model.predict(X)).mean() == pytest.approx(0, abs=1e-10)  # the intercept is free
        with pytest.raises(LikelyError, match="an L1 prior has a corner"):
            model.predict_distribution(X)

    def test_posterior_is_conjugate(self):
        """Of the coefficients and the noise precision, against the formulas of Bayesian textbooks."""
        a, b, sd = 2.0, 3.0, 0.7
        model = LinearRegression(Normal(0.5, sd), noise=Gamma(a, b), standardise=False).fit(X, Y)
        xc, yc = X - X.mean(axis=0), Y - Y.mean()
        precision = xc.T @ xc + np.eye(3) / sd**2
        w = np.linalg.solve(precision, xc.T @ yc + 0.5 / sd**2)
        rate = b + (np.square(yc - xc @ w).sum() + np.square(w - 0.5).sum() / sd**2) / 2
        assert_allclose(model.coef_, w, rtol=1e-10)
        found = model.predict_distribution(X)
        spread = 1 + 1 / N + np.einsum("na,ab,nb->n", xc, np.linalg.inv(precision), xc)
        assert_allclose(found.df, 2 * a + N - 1)
        assert_allclose(found.scale**2, rate / (a + (N - 1) / 2) * spread, rtol=1e-9)
        noise = model.noise_posterior_
        assert_allclose([noise.shape, noise.rate], [a + (N - 1) / 2, rate], rtol=1e-9)
        # Intercept and coefficients together: the same posterior with a flat prior of the intercept.
        ones = np.column_stack([np.ones(N), X])
        whole = ones.T @ ones + np.diag([0, *np.full(3, 1 / sd**2)])
        posterior = model.posterior_
        assert_allclose(
            posterior.location, np.linalg.solve(whole, ones.T @ Y + np.array([0, *np.full(3, 0.5 / sd**2)]))
        )
        assert_allclose(posterior.scale, rate / (a + (N - 1) / 2) * np.linalg.inv(whole), rtol=1e-8)
        assert_allclose(model.standard_errors_, np.sqrt(np.diagonal(posterior.scale)))

    def test_evidence_is_the_integral_over_the_parameters(self):
        x, y, sd = X[:8, :1], Y[:8], 0.8
        model = LinearRegression(Normal(0, sd), noise=Gamma(2, 2), standardise=False).fit(x, y)
        grids = np.linspace(-8, 10, 91), np.linspace(-6, 6, 91), np.linspace(0.05, 9, 90)
        a, w, s = np.meshgrid(*grids, indexing="ij")
        logs = Normal(0, 1).log_prob(w / s / sd) - np.log(s * sd) + stats.invgamma(2, scale=2).logpdf(s**2)
        logs = logs + np.log(2 * s)  # from the variance to the sd
        for xi, yi in zip(x[:, 0], y, strict=True):
            logs = logs + Normal(0, 1).log_prob((yi - a - w * xi) / s) - np.log(s)
        cell = (18 / 90) * (12 / 90) * (8.95 / 89)
        assert model.log_evidence_ == pytest.approx(np.log(np.exp(logs).sum() * cell), abs=0.01)
        with pytest.raises(LikelyError, match="only a Normal prior of every coefficient"):
            LinearRegression().fit(x, y).log_evidence_  # noqa: B018

    def test_auto_takes_the_greatest_evidence(self):
        model = LinearRegression("auto").fit(X, Y)
        sd = float(model.prior_.sd)
        for by in (0.3, 0.9, 1.1, 3):
            assert LinearRegression(Normal(0, sd * by)).fit(X, Y).log_evidence_ < model.log_evidence_
        assert LinearRegression(Normal(0, sd)).fit(X, Y).log_evidence_ == pytest.approx(model.log_evidence_)

    def test_a_constant_column_keeps_its_prior(self):
        """Its coefficient is what was believed before, and a new row in which it varies is as uncertain."""
        prior = {"x": Normal(0, 1), "c": Normal(0.5, 2)}
        table = {"x": X[:, 0], "c": np.full(N, 7.0)}
        model = LinearRegression(prior, noise=Gamma(2, 2), standardise=False).fit(table, Y)
        plain = LinearRegression(Normal(0, 1), noise=Gamma(2, 2), standardise=False).fit({"x": X[:, 0]}, Y)
        assert_allclose(model.coef_, [plain.coef_[0], 0.5], rtol=1e-12)
        assert model.log_evidence_ == pytest.approx(plain.log_evidence_, rel=1e-12)
        variance = model.noise_posterior_.rate / model.noise_posterior_.shape
        assert model.standard_errors_[2] == pytest.approx(2 * np.sqrt(variance), rel=1e-12)
        rows = {"x": X[:2, 0], "c": [7.0, 10.0]}
        found, known = model.predict_distribution(rows), plain.predict_distribution({"x": X[:2, 0]})
        assert_allclose(found.location, known.location + np.array([0, 0.5 * 3]), rtol=1e-12)
        assert_allclose(found.scale**2, known.scale**2 + variance * np.array([0, (2 * 3) ** 2]), rtol=1e-10)

    def test_what_is_no_prior(self):
        with pytest.raises(LikelyError, match="linear models simply add"):
            LinearRegression(MultivariateNormal(np.zeros(4), np.eye(4))).fit(X, Y)
        with pytest.raises(LikelyError, match="noise=1"):
            LinearRegression(noise=1).fit(X, Y)
        with pytest.raises(LikelyError, match="prior=3"):
            LinearRegression(3).fit(X, Y)
        with pytest.raises(LikelyError, match=r"prior='validated': give .* \(logistic regression also"):
            LinearRegression("validated").fit(X, Y)

    def test_one_row_and_a_prior_of_the_noise(self):
        with pytest.raises(LikelyError, match=r"or one of the noise, as noise=Gamma\(1, 1\)"):
            LinearRegression(Normal(0, 1)).fit(X[:1], Y[:1]).predict_distribution(X)
        model = LinearRegression(Normal(0, 1), noise=Gamma(2, 3)).fit(X[:1], Y[:1])
        found = model.predict_distribution(X[:1])
        assert_allclose([found.location, found.df], [Y[:1], [4]])
        assert_allclose(found.scale, np.sqrt(3 / 2 * 2))  # the noise, twice: of the row and of the intercept

    @pytest.mark.parametrize("level", [95, 0, 1.0, True, "95 %"])
    def test_levels_of_intervals_are_probabilities(self, level):
        model = LinearRegression().fit(X, Y)
        with pytest.raises(LikelyError, match=r"level=.*above 0 and below 1"):
            model.summary(level)
        with pytest.raises(LikelyError, match=r"level=.*above 0 and below 1"):
            model.predict_interval(X, level)


class TestTables:
    people = pd.DataFrame(
        {
            "age": [22.0, 38, np.nan, 35, 54, 2, 27, 14],
            "class": ["a", "b", "b", None, "c", "c", "a", "b"],
            "pay": [1.0, 3, 2, 5, 4, 2, 3, 1],
        }
    )

    def test_mixed_kinds(self):
        model = LinearRegression(Normal(0, 1), standardise=False).fit(self.people, "pay")
        assert model.coef_names_ == ("age", "class=a", "class=b", "class=c", "age missing", "class missing")
        age, kind = self.people["age"], self.people["class"]
        x = np.column_stack(
            [age.fillna(age.mean()), *((kind == c) * 1.0 for c in "abc"), age.isna() * 1.0, kind.isna() * 1.0]
        )
        peer = Ridge(alpha=1, solver="cholesky").fit(x, self.people["pay"])
        assert_allclose(model.predict(self.people.drop(columns="pay")), peer.predict(x), rtol=1e-9)

    def test_cells_that_say_nothing_are_noted(self):
        model = LinearRegression(Normal(0, 1)).fit(self.people, "pay")
        parts = model.explain({"age": [None, 30.0], "class": ["z", "a"]})
        assert [part["note"] for part in parts.to_dict(0)["columns"]] == ["missing", "never seen"]
        assert [part["note"] for part in parts.to_dict(1)["columns"]] == ["", ""]
        shown = {line.split()[0]: line.split()[1:] for line in parts.text(0).splitlines()}
        assert shown["age"][0] == "missing"
        assert shown["class"] == ["z", "(never", "seen)", "0"]

    def test_sparse_is_dense(self):
        x = np.where(RNG.random((N, 3)) < 0.5, 0, X)
        dense, sparse = LinearRegression().fit(x, Y), LinearRegression().fit(csr_array(x), Y)
        assert_allclose(sparse.coef_, dense.coef_, rtol=1e-9)
        assert_allclose(sparse.predict(csr_array(x)), dense.predict(x), rtol=1e-9)

    def test_outcomes_that_are_none(self):
        for bad, said in ((np.nan, "Input y contains NaN"), (np.inf, "infinity"), (1e200, "too large")):
            y = Y.copy()
            y[3] = bad
            with pytest.raises(LikelyError, match=said):
                LinearRegression().fit(X, y)
        with pytest.raises(LikelyError, match="linear regression needs numbers"):
            LinearRegression().fit(X, np.where(Y > 0, "a", "b"))


class TestRows:
    @pytest.mark.parametrize("prior", [None, Normal(0, 1), DoubleExponential(0, 0.1)], ids=["ml", "l2", "l1"])
    def test_parts_add_up_to_the_whole(self, prior):
        kinds = {"c": ["a", "b"]}
        table = {"x": X[:, 0], "c": np.where(X[:, 1] > 3, "a", "b")}
        parts = [slice(0, 40), slice(40, 70), slice(70, N)]

        def some(part):
            return {name: cells[part] for name, cells in table.items()}, Y[part], WEIGHT[part]

        whole = LinearRegression(prior, kinds=kinds).fit(table, Y, WEIGHT)
        added = sum(LinearRegression(prior, kinds=kinds).fit(*some(part)) for part in parts)
        piecewise = LinearRegression(prior, kinds=kinds)
        for part in parts:
            piecewise.partial_fit(*some(part))
        for model in (added, piecewise):
            assert_allclose(model.predict(table), whole.predict(table), rtol=1e-10)
            if not isinstance(prior, DoubleExponential):  # two levels may share an L1 penalty in many ways
                assert_allclose(model.coef_, whole.coef_, rtol=1e-10)
            assert model.noise_variance_ == pytest.approx(whole.noise_variance_, rel=1e-10)

    def test_models_that_do_not_add(self):
        a = LinearRegression().fit({"c": ["a", "b", "b"]}, [1, 2, 3])
        with pytest.raises(LikelyError, match="different columns or levels"):
            a + LinearRegression().fit({"c": ["a", "z", "z"]}, [1, 2, 3])
        gap = LinearRegression().fit({"x": [1.0, np.nan, 4.0, 2.0]}, [1, 2, 3, 5])
        with pytest.raises(LikelyError, match="means of two different tables"):
            gap + gap

    def test_weights_are_rows(self):
        weight = RNG.integers(0, 4, N)
        rows = np.repeat(np.arange(N), weight)
        a, b = LinearRegression().fit(X, Y, weight), LinearRegression().fit(X[rows], Y[rows])
        assert_allclose(a.coef_, b.coef_, rtol=1e-9)
        assert_allclose(a.standard_errors_, b.standard_errors_, rtol=1e-9)

    def test_threads_change_no_bit(self):
        x = RNG.normal(size=(50_000, 4))
        y = x @ [1, 2, 3, 4] + RNG.normal(size=50_000)
        one, many = (LinearRegression(n_jobs=jobs).fit(x, y) for jobs in (None, 3))
        assert (one.coef_ == many.coef_).all()

    def test_pickle(self):
        model = LinearRegression(Normal(0, 2)).fit(X, Y)
        assert (pickle.loads(pickle.dumps(model)).predict(X) == model.predict(X)).all()

    def test_explanations_add_up(self):
        model = LinearRegression().fit(X, Y)
        parts = model.explain(X)
        assert_allclose(parts.total, model.predict(X), rtol=1e-12)
        assert_allclose(parts.terms, model.coef_ * (X - X.mean(axis=0)), atol=1e-12)
        assert parts.base == pytest.approx(Y.mean(), rel=1e-12)
        assert "prediction" in parts.text(0, top=1)
        assert_allclose(parts.to_frame()["prediction"], model.predict(X))
        assert parts.text(0).splitlines()[1].split() == ["baseline", f"{Y.mean():.4g}"]
        assert parts.to_dict(0)["baseline"] == parts.base == parts.to_frame()["baseline"][0]


class TestTotalLeastSquares:
    def test_by_the_singular_vectors(self):
        points = np.column_stack([X, Y]) - np.column_stack([X, Y]).mean(axis=0)
        normal = np.linalg.svd(points)[2][-1]
        found = total_least_squares(X, Y)
        assert_allclose(found.coefficients, -normal[:-1] / normal[-1], rtol=1e-9)
        assert found.distances == pytest.approx(np.square(points @ normal).sum(), rel=1e-9)
        assert "sum of squared distances" in repr(found)

    def test_it_does_not_matter_which_is_the_outcome(self):
        x, y = X[:, 0], Y
        there, back = total_least_squares({"x": x}, y), total_least_squares({"x": y}, x)
        assert there.coefficients[0] == pytest.approx(1 / back.coefficients[0], rel=1e-9)
        plain = LinearRegression().fit({"x": x}, y).coef_[0]
        assert abs(there.coefficients[0]) > abs(plain)  # noise in x flattens the plain one

    def test_an_upright_plane(self):
        with pytest.raises(LikelyError, match="the nearest plane stands upright"):
            total_least_squares({"x": [1.0, 1.0, 1.0]}, [1.0, 2.0, 3.0])


class TestClassifiers:
    labels = np.array(["a", "b", "c"])[(X[:, 1] > 2).astype(int) + (X[:, 0] > 0.5)]

    def test_least_squares(self):
        y = self.labels == "a"
        peer = PeerClassifier(alpha=1e-12, solver="svd").fit(X, y)
        ours = LeastSquaresClassifier().fit(X, y)
        assert_allclose(ours.decision_function(X), peer.decision_function(X), atol=1e-8)
        peer = PeerClassifier(alpha=1e-12, solver="svd").fit(X, self.labels)
        assert (LeastSquaresClassifier().fit(X, self.labels).predict(X) == peer.predict(X)).all()

    def test_least_squares_is_a_regression_of_one_and_minus_one(self):
        y = self.labels == "a"
        line = LinearRegression().fit(X, np.where(y, 1.0, -1.0))
        assert_allclose(LeastSquaresClassifier().fit(X, y).coef_[0], line.coef_, rtol=1e-9)

    def test_basic(self):
        y = self.labels == "a"
        ours = BasicLinearClassifier().fit(X, y)
        w = X[y].mean(axis=0) - X[~y].mean(axis=0)
        assert_allclose(ours.coef_[0], w, rtol=1e-9)
        assert_allclose(ours.intercept_, -w @ (X[y].mean(axis=0) + X[~y].mean(axis=0)) / 2, rtol=1e-9)
        assert (ours.predict(X) == NearestCentroid().fit(X, y).predict(X)).all()

    def test_a_far_point_pulls_least_squares_over_and_leaves_logistic_alone(self):
        """As in Flach, section 7.1: an outlier on the right side of the boundary."""
        from likely import LogisticRegression, Normal

        x = np.array([1, 2, 3, 4, 5, 6, 7, 8.0])[:, None]
        y = np.arange(8) > 3
        far = np.append(x, [[60.0]], axis=0), np.append(y, True)
        assert not (LeastSquaresClassifier().fit(*far).predict(x) == y).all()
        assert (LogisticRegression(Normal(0, 2.5)).fit(*far).predict(x) == y).all()


@pytest.mark.parametrize("seed", range(12))
def test_contributions_sum_to_the_prediction_far_from_zero(seed):
    """Columns whose mean is up to 1e12 of their sds: what is said of a row adds up to its prediction."""
    rng = np.random.default_rng(seed)
    n, scale = int(rng.integers(5, 40)), 10.0 ** rng.integers(-6, 3)
    table = {
        "far": rng.normal(size=n) * scale + scale * 10.0 ** rng.integers(4, 13),
        "gaps": np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n)),
        "word": rng.choice(list("xyz"), n),
    }
    y = rng.normal(size=n)
    model = LinearRegression().fit(table, y)
    assert_allclose(model.explain(table).total, model.predict(table), rtol=0, atol=1e-10 * np.ptp(y))
