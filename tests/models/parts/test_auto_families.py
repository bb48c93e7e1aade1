"""families="auto": the bits against sums written out with SciPy, and the families that data give back."""

from __future__ import annotations

import pickle
from math import comb
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import sparse, stats
from seeds import rarely
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold, cross_val_predict

import likely
from likely import NaiveBayes
from likely.errors import LikelyError
from likely.models.parts.plan import Families, Ranking

LABELS = np.array(["a", "b", "c"])


def auto(**options: Any) -> NaiveBayes:
    return NaiveBayes(**{"families": "classical", "evidence_weights": None, **{"families": "auto"} | options})


def bits_of(x: Any, y: Any, **options: Any) -> dict[str, float]:
    ranking = auto(**options).fit({"x": x}, y).families_["x"]
    return dict(zip(ranking.families, ranking.bits, strict=True))


def chosen(x: Any, y: Any, **options: Any) -> str:
    return auto(**options).fit({"x": x}, y).families_["x"].chosen


# The bits, written out. `grid` is every point that a value of the column can have, far beyond the data.


def normal(x: Any, grid: Any) -> float:
    law = stats.norm(x.mean(), x.std())
    return float(np.log2(len(x)) - np.log2(law.pdf(x) / law.pdf(grid).sum()).sum())


def uniform(x: Any, grid: Any) -> float:
    inside = ((grid > x.min() - 1e-6) & (grid < x.max() + 1e-6)).sum()
    return float(2 * np.log2(len(x)) + len(x) * np.log2(inside))


def histogram(x: Any, grid: Any) -> float:
    quarter, three = np.quantile(x, [0.25, 0.75])
    width = min(np.ptp(x) / (1 + np.log2(len(x))), 2 * (three - quarter) / np.cbrt(len(x)) or np.inf)
    counts, edges = np.histogram(x, int(np.ceil(np.ptp(x) / width - 1e-9)))
    bar = np.searchsorted(edges, grid, side="right") - 1
    bar[np.isclose(grid, edges[-1])] = len(counts) - 1
    heights = np.where((bar >= 0) & (bar < len(counts)), counts[np.clip(bar, 0, len(counts) - 1)], 0)
    own = counts[np.minimum(np.searchsorted(edges, x, side="right") - 1, len(counts) - 1)]
    parameters = (len(counts) - 1) / 2 + 2
    return float(parameters * np.log2(len(x)) - np.log2(own / heights.sum()).sum())


def kernel(x: Any, grid: Any) -> float:
    quarter, three = np.quantile(x, [0.25, 0.75])
    spread = min(x.std(), (three - quarter) / 1.34) if three > quarter else x.std()
    bandwidth = 0.9 * spread / len(x) ** 0.2

    def density(places: Any) -> Any:
        return stats.norm.pdf((places[:, None] - x) / bandwidth).sum(axis=1)

    shares = (stats.norm.pdf(0) / density(x)).sum()
    return float((1 + shares) / 2 * np.log2(len(x)) - np.log2(density(x) / density(grid).sum()).sum())


def poisson(x: Any, grid: Any) -> float:
    return float(np.log2(len(x)) / 2 - np.log2(stats.poisson(x.mean()).pmf(x)).sum())


def geometric(x: Any, grid: Any) -> float:
    return float(np.log2(len(x)) / 2 - np.log2(stats.geom(1 / x.mean()).pmf(x)).sum())


def exponential(x: Any, grid: Any) -> float:
    """Over the points of the grid from 0 on, of which there must be enough for the tail."""
    points = grid[grid >= -1e-9]
    heights = stats.expon(scale=x.mean()).pdf(points)
    own = stats.expon(scale=x.mean()).pdf(x)
    return float(np.log2(len(x)) / 2 - np.log2(own / heights.sum()).sum())


def categorical(x: Any, k: int) -> float:
    counts = np.unique(x, return_counts=True)[1]
    return float((k - 1) / 2 * np.log2(len(x)) - counts @ np.log2(counts / len(x)))


FORMULAS = {f.__name__: f for f in (normal, exponential, uniform, histogram, kernel, poisson, geometric)}


def table(case: str, seed: int) -> tuple[Any, Any, float]:
    """Values, classes and the step between values."""
    rng = np.random.default_rng(seed)
    y = rng.choice(LABELS, 240, p=[0.3, 0.4, 0.3])
    of_class = np.searchsorted(LABELS, y)
    made = {
        "tenths": (np.round(rng.normal(of_class, 1.0), 1), 0.1),
        "coarse": (np.round(rng.normal(of_class, 0.6)), 1.0),
        "counts": (1.0 + rng.poisson(1 + 2 * of_class), 1.0),
        "threes": (3.0 * rng.integers(1, 9, 240) + 1, 3.0),
    }
    return *(made[case][:1]), y, made[case][1]


@pytest.mark.parametrize("case", ["tenths", "coarse", "counts", "threes"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_bits_are_those_of_the_formulas(case: str, seed: int) -> None:
    x, y, step = table(case, seed)
    found = bits_of(x, y)
    span = round((x.max() - x.min()) / step)
    grid = x.min() + step * np.arange(-5 * span - 200, 6 * span + 200)
    expected = {
        name: sum(formula(x[y == label], grid) for label in LABELS)
        for name, formula in FORMULAS.items()
        if name in found
    }
    k = len(np.unique(x))
    if case != "tenths":
        levels = sum(categorical(x[y == label], k) for label in LABELS)
        expected["categorical"] = levels + np.log2(comb(span + 1, k))
    assert set(found) == set(expected)
    assert len(found) == {"tenths": 4, "coarse": 5, "counts": 8, "threes": 8}[case]
    for name, bits in expected.items():
        assert_allclose(found[name], bits, rtol=1e-6, err_msg=name)
    assert list(found.values()) == sorted(found.values())


def test_the_step_of_a_continuous_column_is_the_smallest_gap_and_cancels() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=300), np.repeat(LABELS, 100)
    ranking = auto().fit({"x": x}, y).families_["x"]
    assert_allclose(ranking.step, np.diff(np.sort(x)).min(), rtol=1e-12)
    law = sum(stats.norm(v.mean(), v.std()).logpdf(v).sum() for v in np.split(x, 3)) / np.log(2)
    assert_allclose(ranking.bits[0], 3 * np.log2(100) - law - 300 * np.log2(ranking.step), rtol=1e-9)
    assert ranking.chosen == "normal"
    # Other units leave the differences as they are.
    other = auto().fit({"x": 1024 * x}, y).families_["x"]
    assert other.families == ranking.families
    assert_allclose(other.bits, ranking.bits, rtol=1e-9)


DRAWS: dict[str, Any] = {
    "normal": lambda rng, n: rng.normal(5, 2, n),
    "normal in tenths": lambda rng, n: np.round(rng.normal(5, 2, n), 1),
    "normal in whole numbers": lambda rng, n: np.round(rng.normal(50, 4, n)),
    "uniform": lambda rng, n: rng.uniform(-1, 3, n),
    "bimodal": lambda rng, n: np.where(rng.random(n) < 0.5, rng.normal(-2, 1, n), rng.normal(2, 1, n)),
    "lognormal": lambda rng, n: rng.lognormal(sigma=0.5, size=n),
    "exponential": lambda rng, n: rng.exponential(3.0, n),
    "exponential in whole numbers": lambda rng, n: np.floor(rng.exponential(30.0, n)),
    "poisson": lambda rng, n: rng.poisson(4, n),
    "geometric": lambda rng, n: rng.geometric(0.3, n),
    "codes": lambda rng, n: rng.choice([1, 2, 3, 4, 7, 9], n, p=[0.3, 0.02, 0.25, 0.03, 0.35, 0.05]),
}
GIVEN_BACK = {
    "normal in tenths": {"normal"},
    "normal in whole numbers": {"normal"},
    "bimodal": {"kernel", "histogram"},
    "lognormal": {"kernel", "histogram"},
    "exponential in whole numbers": {"exponential"},
    "codes": {"categorical"},
}


@pytest.mark.parametrize("truth", DRAWS)
@pytest.mark.parametrize("seed", range(5))
def test_data_of_a_family_are_given_back_to_it(truth: str, seed: int) -> None:
    # Of 300 other seeds for each truth none went astray: at 95 %, a false alarm has less than 1 in 100.
    rng = np.random.default_rng([seed, *truth.encode()])
    x = DRAWS[truth](rng, 2000)
    assert chosen(x, np.tile(["a", "b"], 1000)) in GIVEN_BACK.get(truth, {truth})


def test_few_rows_are_given_the_simple_family() -> None:
    # Were the kernel charged for its bandwidth alone, and each value coded by the others, it would take 40 of
    # 300 such columns; charged for what it has in effect, it took none of 300 others.
    rng = np.random.default_rng(8)
    X, y = rng.normal(size=(60, 200)), np.repeat(["a", "b"], 30)
    families = [ranking.chosen for ranking in auto().fit(X, y).families_]
    assert families.count("normal") >= 195


class TestLaws:
    X: Any = pd.DataFrame(
        {
            "wave": np.concatenate([DRAWS["bimodal"](np.random.default_rng(5), 300), np.full(10, np.nan)]),
            "count": np.random.default_rng(6).poisson(3, 310),
            "code": DRAWS["codes"](np.random.default_rng(7), 310),
            "size": np.random.default_rng(8).normal(size=310),
            "flag": np.random.default_rng(9).random(310) < 0.5,
        }
    )
    Y = np.random.default_rng(10).choice(LABELS, 310)

    def rankings(self, X: Any, y: Any, **options: Any) -> dict[str, Ranking]:
        return {ranking.column: ranking for ranking in auto(**options).fit(X, y).families_}

    def same(self, a: dict[str, Ranking], b: dict[str, Ranking]) -> None:
        assert set(a) == set(b)
        for name, ranking in a.items():
            assert ranking.families == b[name].families
            assert_allclose(ranking.bits, b[name].bits, rtol=1e-10)

    def test_the_table_has_several(self) -> None:
        found = {name: ranking.chosen for name, ranking in self.rankings(self.X, self.Y).items()}
        assert found["count"] == "poisson"
        assert found["code"] == "categorical"
        assert found["wave"] in ("kernel", "histogram", "uniform")
        assert found["size"] == "normal"
        assert found["flag"] == "bernoulli"

    def test_order_of_rows_and_columns_and_names_of_classes(self) -> None:
        plain = self.rankings(self.X, self.Y)
        order = np.random.default_rng(0).permutation(310)
        self.same(plain, self.rankings(self.X.iloc[order], self.Y[order]))
        self.same(plain, self.rankings(self.X[self.X.columns[::-1]], self.Y))
        other = np.array([{"a": "z", "b": "y", "c": "a"}[label] for label in self.Y])
        self.same(plain, self.rankings(self.X, other))
        self.same(plain, self.rankings(self.X, self.Y, n_jobs=2))

    def test_a_row_of_weight_two_is_the_row_twice(self) -> None:
        weight = np.random.default_rng(1).integers(0, 3, 310).astype(float)
        rows = np.repeat(np.arange(310), weight.astype(int))
        twice = self.rankings(self.X.iloc[rows], self.Y[rows])
        weighed = {r.column: r for r in auto().fit(self.X, self.Y, sample_weight=weight).families_}
        self.same(twice, weighed)

    def test_every_row_twice_doubles_the_values_and_not_the_parameters(self) -> None:
        once, again = (
            self.rankings(*pair) for pair in ((self.X, self.Y), (self.twice(), np.tile(self.Y, 2)))
        )
        n = [(label == self.Y).sum() for label in LABELS]
        for name, family, parameters in (("count", "poisson", 1), ("size", "normal", 2)):
            before, after = (self.bits(found[name], family) for found in (once, again))
            sent, sent_again = (parameters / 2 * np.log2(np.multiply(n, k)).sum() for k in (1, 2))
            assert_allclose(after - sent_again, 2 * (before - sent), rtol=1e-9)

    def twice(self) -> Any:
        return pd.concat([self.X, self.X])

    def bits(self, ranking: Ranking, family: str) -> float:
        return ranking.bits[ranking.families.index(family)]

    def test_missing_cells_are_as_if_their_rows_were_not_there(self) -> None:
        known = self.X["wave"].notna().to_numpy()
        whole = self.rankings(self.X[["wave"]], self.Y)
        self.same(whole, self.rankings(self.X.loc[known, ["wave"]], self.Y[known]))


class TestUse:
    def test_it_is_as_if_the_user_had_named_the_families(self) -> None:
        X, y = TestLaws.X, TestLaws.Y
        model = auto().fit(X, y)
        names = {ranking.column: ranking.chosen for ranking in model.families_}
        named = NaiveBayes(families=names, evidence_weights=None).fit(X, y)
        assert (model.predict_proba(X) == named.predict_proba(X)).all()
        assert str(model.record_.schema.columns[2].kind) == "categorical"

    def test_one_column_of_several(self) -> None:
        X, y = TestLaws.X, TestLaws.Y
        model = NaiveBayes(families={"wave": "auto", "count": "normal"}, evidence_weights=None).fit(X, y)
        found = {ranking.column: (ranking.chosen, len(ranking.bits) > 1) for ranking in model.families_}
        assert found["wave"][1]
        assert found["count"] == ("normal", False)
        assert found["size"] == ("binned", False)

    def test_without_auto_there_are_the_families_and_no_bits(self) -> None:
        model = NaiveBayes(missing="level", families="classical", evidence_weights=None).fit(
            TestLaws.X, TestLaws.Y
        )
        names = [ranking.column for ranking in model.families_]
        assert names == list(TestLaws.X.columns)
        assert not any(ranking.bits for ranking in model.families_)
        assert repr(model.families_["flag"]) == "flag: bernoulli, not weighed against others"

    def test_pieces_pickles_clones_and_sums_keep_the_choice(self) -> None:
        X, y = TestLaws.X, TestLaws.Y
        model = auto().fit(X, y)
        kept = model.families_
        assert pickle.loads(pickle.dumps(model)).families_ == kept
        assert (model + auto().fit(X[::-1], y[::-1])).families_ == kept
        assert model.decay(0.5).families_ == kept
        assert model.with_base_rate("uniform").families_ == kept
        assert not hasattr(clone(model), "families_")
        with pytest.raises(NotFittedError):
            clone(model).families_  # noqa: B018
        more = clone(model).partial_fit(X, y)
        # A second part that would have been given a normal distribution.
        size = np.random.default_rng(2).normal(50, 4, 310).round()
        more.partial_fit(X.assign(count=size), y)
        assert more.families_ == kept
        assert more.families_["count"].chosen == "poisson"

    def test_parts_that_chose_differently_do_not_add(self) -> None:
        rng = np.random.default_rng(0)
        y = np.tile(["a", "b"], 100)
        parts = [auto().fit({"x": x}, y) for x in (rng.normal(size=200), rng.lognormal(sigma=2, size=200))]
        with pytest.raises(LikelyError, match="in different ways"):
            parts[0] + parts[1]

    def test_rankings_are_plain_and_print_as_tables(self) -> None:
        families = auto().fit(TestLaws.X, TestLaws.Y).families_
        ranking = families["count"]
        assert all(type(name) is str for name in ranking.families)
        assert all(type(bits) is float for bits in ranking.bits)
        assert type(ranking.step) is float
        lines = repr(families).splitlines()
        assert lines[0].split() == ["column", "family", "bits", "next", "worse", "by"]
        assert len(lines) == len(families) + 1 == 6
        assert f"{ranking.margin:.1f}" in lines[2]
        assert repr(ranking).splitlines()[2].split() == ["poisson", f"{ranking.bits[0]:.1f}"]
        with pytest.raises(LikelyError, match="did you mean 'count'"):
            families["coumt"]

    def test_a_kind_or_a_prior_of_a_column_rules_families_out(self) -> None:
        codes, y = TestLaws.X["code"].to_numpy(), TestLaws.Y
        assert chosen(codes, y) == "categorical"
        assert set(bits_of(codes, y, kinds={"x": "count"})) == {
            *("poisson", "geometric", "normal", "exponential", "uniform", "histogram", "kernel")
        }
        found = bits_of(codes, y, kinds={"x": "quantitative"})
        assert set(found) == {"normal", "exponential", "uniform", "histogram", "kernel"}
        assert set(bits_of(codes, y, prior={"x": likely.Gamma(2, 1)})) == {"poisson", "exponential"}
        assert auto(kinds="categorical").fit({"x": codes}, y).families_["x"].bits == ()

    def test_texts_truth_values_and_joint_families_are_left_alone(self) -> None:
        rng = np.random.default_rng(0)
        y = np.tile(["a", "b"], 50)
        X = {
            "text": [f"a text of many words that is long enough to be one, number {i}" for i in range(100)],
            "level": rng.choice(["u", "v"], 100),
            "p": rng.normal(size=100),
            "q": rng.normal(size=100),
            "r": rng.normal(size=100),
        }
        words = dict.fromkeys(X, "auto") | {"p": "multivariate_normal", "q": "multivariate_normal"}
        found = [
            ranking.chosen
            for ranking in NaiveBayes(families=words, evidence_weights=None).fit(X, y).families_
        ]
        assert found == ["multinomial", "categorical", "multivariate_normal", "multivariate_normal", "normal"]

    def test_sparse_numbers_have_the_family_of_their_kind(self) -> None:
        X = sparse.random(50, 50_000, 0.001, format="csr", random_state=0)
        families = auto().fit(X, np.tile(["a", "b"], 25)).families_
        assert len(families) == 50_000
        assert {ranking.chosen for ranking in families} == {"normal"}


class TestEdges:
    Y = np.tile(["a", "b"], 50)

    @pytest.mark.parametrize(
        "x",
        [
            np.full(100, 0.1),
            np.full(100, 7),
            np.full(100, np.nan),
            np.append(np.full(99, np.nan), 2.5),
            np.where(np.arange(100) % 2, 0.0, 1.25),
            np.where(np.arange(100) % 2, 0.0, np.random.default_rng(0).normal(size=100)),
            np.append(1e140, np.random.default_rng(0).normal(size=99)),
            np.random.default_rng(0).normal(size=100) * 1e149,
            np.random.default_rng(0).normal(size=100) * 1e-200,
            np.random.default_rng(0).integers(0, 5, 100) * 5e-324,
            1e15 + np.random.default_rng(0).normal(size=100),
            np.random.default_rng(0).integers(2**60, 2**62, 100),
            np.append(0.1 + 0.2, np.tile([0.3, 0.4, 0.5], 33)),
        ],
        ids=[
            *("constant", "constant whole", "missing", "one value", "constant in each class"),
            *("constant in one class", "outlier", "huge", "tiny", "tiniest", "far from 0", "long integers"),
            "rounding errors",
        ],
    )
    def test_there_is_an_answer(self, x: Any) -> None:
        model = auto().fit({"x": x}, self.Y)
        assert np.isfinite(model.predict_proba({"x": x})).all()
        ranking = model.families_["x"]
        assert all(bits >= 0 for bits in ranking.bits)
        assert len(np.unique(x[~np.isnan(x)])) > 1 or ranking == Ranking("x", ("normal",))

    def test_one_row_one_class_one_row_a_class(self) -> None:
        assert chosen([1.5], ["a"]) == "normal"
        assert chosen(np.arange(10) + 0.5, np.arange(10)) == "normal"
        assert chosen(np.random.default_rng(0).normal(size=200), ["a"] * 200) == "normal"

    @pytest.mark.parametrize("value", [np.inf, -np.inf, 1e200])
    def test_what_no_model_can_use_is_refused_as_ever(self, value: float) -> None:
        x = np.arange(100) + 0.5
        x[7] = value
        with pytest.raises(LikelyError, match="column 'x', row 7"):
            auto().fit({"x": x}, self.Y)

    def test_rows_without_weight_are_no_rows(self) -> None:
        x, weight = np.random.default_rng(0).poisson(3, 100).astype(float), np.ones(100)
        assert chosen(x, self.Y) == "poisson"
        for value in (0.5, -1.0):
            x[0], weight[0] = value, 0.0
            ranking = auto().fit({"x": x}, self.Y, sample_weight=weight).families_["x"]
            assert ranking == auto().fit({"x": x[1:]}, self.Y[1:]).families_["x"]

    def test_a_missing_cell_may_be_a_level(self) -> None:
        codes = np.where(np.arange(310) % 7, TestLaws.X["code"], np.nan)
        model = auto(missing="level").fit({"x": codes}, TestLaws.Y)
        assert model.families_["x"].chosen == "categorical"
        assert model.record_.schema.columns[0].levels == (1.0, 2.0, 3.0, 4.0, 7.0, 9.0, None)

    def test_days_are_on_a_scale(self) -> None:
        days = pd.Timestamp("2026-01-01") + pd.to_timedelta(np.random.default_rng(0).integers(0, 9, 100), "D")
        ranking = auto().fit(pd.DataFrame({"x": days}), self.Y).families_["x"]
        assert set(ranking.families) <= {"normal", "uniform", "histogram", "kernel"}

    def test_durations_may_be_waiting_times_and_moments_may_not(self) -> None:
        seconds = pd.to_timedelta(np.random.default_rng(0).exponential(60, 100), "s")
        assert auto().fit(pd.DataFrame({"x": seconds}), self.Y).families_["x"].chosen == "exponential"
        moments = pd.Timestamp("1970-01-01") + seconds
        found = auto().fit(pd.DataFrame({"x": moments}), self.Y).families_["x"]
        assert "exponential" not in found.families

    def test_ends_are_not_read_off_a_few_rows(self) -> None:
        x = np.random.default_rng(0).random(120)
        assert "uniform" in bits_of(x, np.repeat(["a", "b"], 60))
        assert "uniform" not in bits_of(x, np.repeat(["a", "b"], [80, 40]))

    def test_levels_are_few_and_have_rows(self) -> None:
        y = np.tile(["a", "b"], 150)
        assert "categorical" in bits_of(np.arange(300) % 64, y)
        assert "categorical" not in bits_of(np.arange(300) % 65, y)
        assert "categorical" not in bits_of(np.arange(100) % 26, self.Y)

    def test_many_different_values_are_continuous(self) -> None:
        x = np.random.default_rng(0).permutation(70_000)
        ranking = auto().fit({"x": x}, np.tile(["a", "b"], 35_000)).families_["x"]
        assert set(ranking.families) == {"normal", "exponential", "uniform", "histogram", "kernel"}
        assert ranking.chosen == "uniform"

    def test_an_empty_model_of_families_prints(self) -> None:
        assert repr(Families(())) == "column  family  bits  next  worse by"


@pytest.mark.parametrize(
    ("name", "target", "better"),
    [
        ("wine.csv", "class", True),
        ("balance_scale.csv", "class", False),
        *rarely(
            ("pima_diabetes.csv", "class", True),
            ("german_credit.csv", "class", True),
            ("wine_quality_red.csv", "quality", True),
            ("anneal.csv", "class", True),
        ),
    ],
)
def test_cross_validated_against_the_families_of_the_kinds(
    shared_data: Any, name: str, target: str, better: bool
) -> None:
    """The table of docs/families.md, also where the choice does not help."""
    X: Any = likely.read(shared_data / name, into="pandas")
    y = X.pop(target).to_numpy()
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    loss = [
        log_loss(
            y,
            cross_val_predict(
                NaiveBayes(families=f, evidence_weights=None), X, y, cv=folds, method="predict_proba"
            ),
        )
        for f in ("auto", "classical")
    ]
    assert (loss[0] < loss[1]) is better
