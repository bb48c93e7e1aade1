"""`summary()` without a prior against statsmodels: coefficients, errors, z or t, p and intervals, to 1e-6."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from statsmodels.discrete.discrete_model import Logit, MNLogit
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM
from statsmodels.regression.linear_model import OLS

from likely import LinearRegression, LogisticRegression

EXACT = {"disp": 0, "maxiter": 200, "method": "newton", "tol": 1e-9}


def design(table: pd.DataFrame) -> np.ndarray:
    """Our design by hand, with an intercept: numbers, levels but the first, and what is missing."""
    numbers = [name for name in table if pd.api.types.is_numeric_dtype(table[name])]
    levels = [name for name in table if name not in numbers]
    columns = [np.ones(len(table)), *(table[name].fillna(table[name].mean()) for name in numbers)]
    for name in levels:
        columns += [table[name] == level for level in sorted(table[name].dropna().unique())[1:]]
    columns += [table[name].isna() for name in (*numbers, *levels) if table[name].isna().any()]
    return np.column_stack([np.asarray(column, np.float64) for column in columns])


def check(table: pd.DataFrame, estimate, error, statistic: str, p, ends, tol=1e-6) -> None:
    """The table of a summary against a peer's numbers; p-values of 1e-60 are compared as logarithms are."""
    assert_allclose(table["coefficient"], estimate, rtol=tol, atol=tol * np.min(error))
    assert_allclose(table["standard error"], error, rtol=tol)
    assert_allclose(table[statistic], estimate / error, rtol=tol, atol=tol)
    assert_allclose(table["p"], p, rtol=1e-4, atol=1e-12)
    assert_allclose(table["lower"], ends[:, 0], rtol=tol, atol=tol * np.min(error))
    assert_allclose(table["upper"], ends[:, 1], rtol=tol, atol=tol * np.min(error))


def against(ours, theirs, statistic: str, level: float = 0.95) -> None:
    table = pd.DataFrame(ours.summary(level).to_frame())
    ends = np.asarray(theirs.conf_int(1 - level))
    check(table, theirs.params, theirs.bse, statistic, theirs.pvalues, ends)


def made(n: int = 500, classes: int = 2):
    """Columns in very different units, two of them correlated at .95."""
    rng = np.random.default_rng(11)
    x = rng.normal(size=(n, 4))
    x[:, 1] = 0.95 * x[:, 0] + np.sqrt(1 - 0.95**2) * x[:, 1]
    slopes = rng.normal(size=(4, classes)) if classes > 2 else np.array([[0, 1], [0, -0.5], [0, 0.3], [0, 0]])
    y = (x @ slopes + rng.gumbel(size=(n, classes))).argmax(axis=1)
    return x * [1, 1000, 0.01, 1] + [0, 5000, 1, -30], y


class TestTwoClasses:
    @pytest.mark.parametrize("level", [0.95, 0.8])
    def test_made_up(self, level):
        x, y = made()
        against(
            LogisticRegression(None).fit(x, y), Logit(y, design(pd.DataFrame(x))).fit(**EXACT), "z", level
        )

    def test_diabetes(self, shared_data):
        data = pd.read_csv(shared_data / "pima_diabetes.csv")
        y, x = data.pop("class"), data
        ours = LogisticRegression(None).fit(x, y)
        theirs = Logit((y == "tested_positive").astype(int), design(x)).fit(**EXACT)
        against(ours, theirs, "z")
        assert ours.record_.log_likelihood == pytest.approx(theirs.llf, rel=1e-12)
        assert f"log-likelihood {theirs.llf:.2f}" in str(ours.summary())
        assert_allclose(ours.covariance_, theirs.cov_params(), rtol=1e-6, atol=1e-12)
        assert_allclose(ours.predict_proba(x)[:, 1], theirs.predict(design(x)), atol=1e-9)

    def test_passengers_of_every_kind_with_gaps(self, shared_data):
        """Numbers, levels and missing cells of both: mean plus indicator, and a level of its own."""
        data = pd.read_csv(shared_data / "titanic.csv")
        data["pclass"] = data["pclass"].map({1: "first", 2: "second", 3: "third"})
        x, y = data[["age", "sibsp", "pclass", "sex"]].copy(), data["survived"]
        x.loc[::17, "sex"] = None
        ours = LogisticRegression(None).fit(x, y)
        assert ours.coef_names_ == (
            "age", "sibsp", "pclass=second", "pclass=third", "sex=male", "age missing", "sex missing",
        )  # fmt: skip
        against(ours, Logit(y, design(x)).fit(**EXACT), "z")

    def test_weights(self):
        """As frequencies, of which statsmodels' general linear model knows."""
        x, y = made()
        weight = np.random.default_rng(1).integers(1, 5, len(y))
        ours = LogisticRegression(None).fit(x, y, sample_weight=weight)
        whole = GLM(y, design(pd.DataFrame(x)), family=Binomial(), freq_weights=weight)
        against(ours, whole.fit(tol=1e-14, maxiter=200), "z")


class TestMoreClasses:
    """statsmodels has the first class at 0; here the classes add up to 0. Probabilities are the same."""

    @staticmethod
    def check(ours, theirs, classes: int, q: int) -> None:
        estimate = np.asarray(theirs.params).T  # (classes - 1, q), each against the first
        covariance = np.asarray(theirs.cov_params())
        whole = np.column_stack([ours.intercept_, ours.coef_])
        assert_allclose(whole[1:] - whole[0], estimate, rtol=1e-6, atol=1e-9)
        apart = np.kron(np.column_stack([-np.ones(classes - 1), np.eye(classes - 1)]), np.eye(q))
        found = apart @ ours.covariance_ @ apart.T
        errors = np.sqrt(np.diagonal(covariance))
        assert_allclose(np.sqrt(np.diagonal(found)), errors, rtol=1e-6)
        assert_allclose(found / np.outer(errors, errors), covariance / np.outer(errors, errors), atol=1e-6)
        # The other way: their classes brought to add up to 0, and the whole table compared.
        centre = np.kron(np.eye(classes)[:, 1:] - 1 / classes, np.eye(q))
        at = centre @ estimate.ravel()
        error = np.sqrt(np.diagonal(centre @ covariance @ centre.T))
        reach = stats.norm.ppf(0.975) * error
        ends = np.column_stack([at - reach, at + reach])
        table = pd.DataFrame(ours.summary().to_frame())
        check(table, at, error, "z", 2 * stats.norm.sf(np.abs(at / error)), ends)
        assert ours.record_.log_likelihood == pytest.approx(theirs.llf, rel=1e-12)

    @pytest.mark.parametrize("classes", [3, 4])
    def test_made_up(self, classes):
        x, y = made(800, classes)
        theirs = MNLogit(y, design(pd.DataFrame(x))).fit(**EXACT)
        self.check(LogisticRegression(None).fit(x, y), theirs, classes, 5)

    def test_two_classes_are_the_same_model(self):
        x, y = made()
        theirs = MNLogit(y, design(pd.DataFrame(x))).fit(**EXACT)
        ours = LogisticRegression(None).fit(x, y)
        assert_allclose(ours.standard_errors_[0], np.asarray(theirs.bse)[:, 0], rtol=1e-6)
        assert_allclose(ours.coef_[0], np.asarray(theirs.params)[1:, 0], rtol=1e-6)

    def test_five_grades_of_heart_disease(self, shared_data):
        data = pd.read_csv(shared_data / "heart_cleveland.csv")
        x = data[["age", "thalach", "oldpeak"]].assign(sex=data["sex"].map({0: "female", 1: "male"}))
        ours = LogisticRegression(None).fit(x, data["num"])
        theirs = MNLogit(data["num"], design(x)).fit(**EXACT)
        assert ours.classes_.tolist() == [0, 1, 2, 3, 4]
        self.check(ours, theirs, 5, 5)
        assert_allclose(ours.predict_proba(x), theirs.predict(design(x)), atol=1e-9)


class TestNumbers:
    """Errors and intervals are those of n - p degrees of freedom; only `noise_variance_` is RSS / n."""

    @staticmethod
    def check(ours, theirs, n: int, p: int, level: float = 0.95) -> None:
        against(ours, theirs, "t", level)
        assert ours.noise_variance_ == pytest.approx(theirs.scale * (n - p) / n, rel=1e-9)
        assert f"R2 {theirs.rsquared:.4f}" in str(ours.summary())

    @pytest.mark.parametrize("level", [0.95, 0.5])
    def test_made_up(self, level):
        x, _ = made(60)
        y = x @ [2, 0.001, -50, 0] + np.random.default_rng(2).normal(size=60)
        self.check(LinearRegression().fit(x, y), OLS(y, design(pd.DataFrame(x))).fit(), 60, 5, level)

    def test_the_weight_of_penguins(self, shared_data):
        data = pd.read_csv(shared_data / "penguins.csv", na_values="NA").dropna(subset="body_mass_g")
        x = data[["bill_length_mm", "flipper_length_mm", "species", "sex"]].reset_index(drop=True)
        y = data["body_mass_g"].to_numpy(np.float64)
        assert x["sex"].isna().any()
        ours, theirs = LinearRegression().fit(x, y), OLS(y, design(x)).fit()
        self.check(ours, theirs, len(x), 7)
        new = x[:20]
        frame = theirs.get_prediction(design(x)[:20]).summary_frame(alpha=0.1)
        found = ours.predict_interval(new, 0.9)
        assert_allclose(found.lower, frame["obs_ci_lower"], rtol=1e-9)
        assert_allclose(found.upper, frame["obs_ci_upper"], rtol=1e-9)

    def test_wine(self, shared_data):
        data = pd.read_csv(shared_data / "wine_quality_red.csv")
        y, x = data.pop("alcohol"), data.astype(np.float64)
        self.check(LinearRegression().fit(x, y), OLS(y, design(x)).fit(), len(x), 12)

    def test_weights(self):
        """As frequencies: the rows written out."""
        x, _ = made(60)
        y = x[:, 0] + np.random.default_rng(2).normal(size=60)
        weight = np.random.default_rng(1).integers(1, 5, 60)
        rows = np.repeat(np.arange(60), weight)
        theirs = OLS(y[rows], design(pd.DataFrame(x[rows]))).fit()
        self.check(LinearRegression().fit(x, y, sample_weight=weight), theirs, int(weight.sum()), 5)
