"""Naive Bayes by default: bounded evidence, weights that are learnt, and never worse than the base rate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from seeds import rarely
from sklearn.model_selection import StratifiedKFold, cross_val_predict

import likely
from likely import LikelyError, NaiveBayes
from likely.table.build import to_table

RNG = np.random.default_rng(0)
N = 400
Y = RNG.integers(0, 2, N)
TABLE: dict[str, Any] = {
    "x": RNG.normal(1.5 * Y, 1.0),
    "skewed": np.exp(RNG.normal(Y, 1.0)).round(2),
    "whole": RNG.poisson(2 + 2 * Y),
    "zeros": np.where(RNG.random(N) < 0.8 - 0.3 * Y, 0.0, RNG.gamma(2, 30, N).round()),
    "level": np.array(["a", "b", "c"])[(RNG.random(N) * (2 + Y)).astype(int)],
    "gaps": np.where(RNG.random(N) < 0.2, np.nan, RNG.normal(Y, 2.0)),
}


@pytest.mark.parametrize("far", [1e3, 1e6, 1e12, -1e9, 1e100])
def test_an_outlier_speaks_no_louder_than_the_rows_of_a_class(far: float) -> None:
    """Evidence of one cell: at most the log of the rows of the class that it speaks against, and its bins."""
    model = NaiveBayes(evidence_weights=None).fit(TABLE, Y)
    rows = {name: np.array(values[:1]) for name, values in TABLE.items()}
    rows["x"] = np.array([far])
    ledger = model.explain(rows)[0]
    line = next(line for line in ledger.lines if line.name == "x")
    assert abs(line.evidence) < np.log(np.bincount(Y).max() + 24)
    assert np.isfinite(model.log_prob(rows)).all()
    classical = NaiveBayes(families="classical", evidence_weights=None).fit(TABLE, Y)
    assert abs(next(line for line in classical.explain(rows)[0].lines if line.name == "x").evidence) > 100


@pytest.mark.parametrize("missing", ["ignore", "level"])
@pytest.mark.parametrize("pair", [(None, None), (1, 0), (0, 1)])
def test_the_ledger_adds_up_and_says_the_weights(missing: str, pair: tuple[int | None, int | None]) -> None:
    model = NaiveBayes(missing=missing).fit(TABLE, Y)
    ledgers = model.explain(TABLE, *pair)
    log_p = model.predict_log_proba(TABLE)
    rows = np.arange(N)
    odds = log_p[rows, ledgers.favoured] - log_p[rows, ledgers.against]
    np.testing.assert_allclose(ledgers.total, odds, atol=1e-12 * np.abs(ledgers.terms).sum(axis=1).max())
    full = NaiveBayes(missing=missing, evidence_weights=None).fit(TABLE, Y).explain(TABLE, *pair)
    weights = np.array(list(model.evidence_weights_.values()))
    assert (weights < 1).any()
    assert (weights >= 0).all()
    # Where a cell is missing, the other columns repeat less of each other: 1 / (1 + (k - 1) r) of k columns.
    told = 6 - np.isnan(TABLE["gaps"]) if missing == "ignore" else np.full(N, 6)
    with np.errstate(divide="ignore"):
        r = (1 / weights - 1) / 5
    weights = 1 / (1 + (told[:, None] - 1) * r)
    assert len(np.unique(told)) == (2 if missing == "ignore" else 1)
    if pair[0] is not None:
        np.testing.assert_allclose(ledgers.terms, full.terms * weights, atol=1e-12)
    for row in range(20):
        for line, weight in zip(ledgers[row].lines, weights[row], strict=True):
            assert line.note in ((f"weight {weight:.2f}", "missing") if weight < 1 else ("", "missing"))


def test_copies_of_a_column_are_not_counted_again() -> None:
    one = {"x": TABLE["x"]}
    eight = {f"x{i}": TABLE["x"] for i in range(8)}
    alone, copied = NaiveBayes().fit(one, Y), NaiveBayes().fit(eight, Y)
    assert alone.evidence_weights_ == {"x": 1.0}  # nothing repeats it
    assert sum(copied.evidence_weights_.values()) == pytest.approx(1, abs=0.35)
    fresh = RNG.normal(1.5 * Y, 1.0)
    few, many = alone.predict_proba({"x": fresh}), copied.predict_proba({f"x{i}": fresh for i in range(8)})
    assert np.abs(few - many).max() < 0.15


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("gaps", [False, True])
def test_what_is_drawn_is_what_a_column_may_hold(library: str, gaps: bool) -> None:
    rows = dict(TABLE)
    rows["flag"], rows["year"] = RNG.integers(0, 2, N), RNG.integers(1990, 2020, N)
    if gaps:
        for name in ("skewed", "zeros"):
            rows[name] = np.where(RNG.random(N) < 0.1, np.nan, rows[name])
    frame = to_table({**rows, "y": Y}, library)
    for model in (NaiveBayes().fit(frame, "y"), likely.Mixture(2, random_state=0).fit(frame)):
        drawn = model.sample(500, random_state=1)
        for name in ("skewed", "whole", "zeros", "x", "year", "flag"):
            values = np.asarray(drawn[name], float)
            known, seen = values[~np.isnan(values)], np.asarray(rows[name], float)
            assert np.nanmin(seen) <= known.min() <= known.max() <= np.nanmax(seen), name
            if name != "x":
                decimals = 2 if name == "skewed" else 0
                np.testing.assert_array_equal(known, np.round(known, decimals))
        assert "int" in str(getattr(drawn["whole"], "dtype", getattr(drawn["whole"], "type", ""))).lower()


def test_questions_about_numbers_are_near_what_was_counted() -> None:
    """Of columns with many zeros and few values, too: smoothing moves them by 24 rows of 400 at most."""
    model = NaiveBayes().fit({**TABLE, "y": Y}, "y")
    for name in ("whole", "zeros", "skewed"):
        for cut in (0, 1, 3):
            for relation, holds in (
                (">", np.greater),
                (">=", np.greater_equal),
                ("<", np.less),
                ("<=", np.less_equal),
            ):
                counted = holds(TABLE[name], cut).mean()
                assert model.ask(f"P({name} {relation} {cut})") == pytest.approx(counted, abs=0.06), (
                    name,
                    cut,
                )


def test_small_tables_and_maximum_likelihood_are_classical() -> None:
    few = {"level": TABLE["level"][:14], "flag": TABLE["whole"][:14] > 2}
    for model, rows in (
        (NaiveBayes(), few),
        (NaiveBayes(prior=None), TABLE),
        (NaiveBayes(estimate="ml"), TABLE),
    ):
        y = Y[: len(rows["level"])]
        fitted = model.fit(rows, y)
        assert set(fitted.evidence_weights_.values()) == {1.0}
        assert all(not line.note.startswith("weight") for line in fitted.explain(rows)[0].lines)
    wide = {
        f"level {i}": np.roll(TABLE["level"], i)[:14] for i in range(7)
    }  # too wide to work through by hand
    assert set(NaiveBayes().fit(wide, Y[:14]).evidence_weights_.values()) != {1.0}
    with pytest.raises(LikelyError, match="evidence_weights='yes'"):
        NaiveBayes(evidence_weights="yes").fit(TABLE, Y)


@pytest.mark.parametrize(
    ("n", "naive", "logistic"), [(5, 0.12, 0.12), (8, 0.1, 0.12), (15, 0.06, 0.06), (20, 0.06, 0.06)]
)
def test_little_noise_is_little_worse_than_the_base_rate(n: int, naive: float, logistic: float) -> None:
    """Mean excess over 25 seeds, on 300 fresh rows each; before, .14 to .3 (naive) and .06 to .28 (logistic).

    Its standard error is about .01.
    """
    excess: dict[str, list[float]] = {"naive": [], "logistic": []}
    for seed in range(25):
        rng = np.random.default_rng([n, seed])

        def draw(rows: int, rng: np.random.Generator = rng) -> tuple[dict[str, Any], Any]:
            table = {f"x{j}": rng.normal(size=rows) for j in range(2)}
            levels = {f"c{j}": rng.choice(list("abc"), rows).astype(object) for j in range(2)}
            y = rng.integers(0, 2, rows)
            y[:2] = 0, 1
            return {**table, **levels}, y

        (table, y), (fresh, truth) = draw(n), draw(300)
        rate = (y.sum() + 1) / (n + 2)
        base = -np.log(np.where(truth == 1, rate, 1 - rate)).mean()
        for name, model in (("naive", NaiveBayes()), ("logistic", likely.LogisticRegression())):
            log_p = model.fit(table, y).predict_log_proba(fresh)
            excess[name].append(float(-log_p[np.arange(300), truth].mean() - base))
    assert np.mean(excess["logistic"]) < logistic
    assert np.mean(excess["naive"]) < naive


def test_of_few_rows_one_of_weight_two_is_the_row_twice() -> None:
    """Rows are left out one by one there, and of a row of weight 2 one of the two that it stands for."""
    few = {name: values[:18] for name, values in TABLE.items()}
    times = np.array([2, 1, 0, 3, 1, 2, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1])
    twice = {name: np.repeat(values, times) for name, values in few.items()}
    weighed = NaiveBayes().fit(few, Y[:18], sample_weight=times.astype(float))
    repeated = NaiveBayes().fit(twice, np.repeat(Y[:18], times))
    for name, weight in weighed.evidence_weights_.items():
        assert weight == pytest.approx(repeated.evidence_weights_[name], abs=1e-6)
    assert 0 < min(weighed.evidence_weights_.values()) < 1
    np.testing.assert_allclose(weighed.predict_proba(TABLE), repeated.predict_proba(TABLE), atol=1e-6)


def test_counts_add_exactly_and_weights_by_rows() -> None:
    half = {name: values[:150] for name, values in TABLE.items()}
    rest = {name: values[150:] for name, values in TABLE.items()}
    a, b = NaiveBayes().fit(half, Y[:150]), NaiveBayes().fit(rest, Y[150:])
    both, whole = a + b, NaiveBayes().fit(TABLE, Y)
    for name, weight in both.evidence_weights_.items():
        mean = (150 * a.evidence_weights_[name] + 250 * b.evidence_weights_[name]) / 400
        assert weight == pytest.approx(mean, abs=1e-12)
    np.testing.assert_allclose(
        both.log_prob(TABLE), whole.log_prob(TABLE), rtol=1e-12
    )  # the joint distribution
    again = NaiveBayes().fit(half, Y[:150]).partial_fit(rest, Y[150:])
    np.testing.assert_array_equal(again.predict_proba(TABLE), both.predict_proba(TABLE))
    faded = whole.decay(0.5)
    assert faded.evidence_weights_ == whole.evidence_weights_


def test_a_model_comes_back_with_its_weights(tmp_path: Path) -> None:
    model = NaiveBayes().fit(TABLE, Y)
    model.save(tmp_path / "m.likely")
    again = likely.load(tmp_path / "m.likely")
    assert again.evidence_weights_ == model.evidence_weights_
    np.testing.assert_array_equal(again.predict_proba(TABLE), model.predict_proba(TABLE))
    assert again.sample(3, 0)["whole"].tolist() == model.sample(3, 0)["whole"].tolist()


def test_a_nomogram_and_a_linear_form_have_the_weights() -> None:
    flags = {name: RNG.random(N) < 0.3 + 0.3 * Y for name in "abc"}
    flags["d"] = flags["a"]
    model = NaiveBayes().fit(flags, Y)
    ledgers = model.explain(flags, 1, 0)
    form = model.linear_form(1, 0)
    x = np.stack([flags[name] for name in form.names], axis=1).astype(float)
    np.testing.assert_allclose(x @ form.weights + form.bias, ledgers.total, atol=1e-9)
    axes = {axis.name: axis for axis in model.nomogram(1, 0).axes}
    for j, name in enumerate(flags):
        by_value = np.array([axes[name].evidence(value) for value in (False, True)])
        np.testing.assert_allclose(by_value[flags[name].astype(int)], ledgers.terms[:, j])


TABLES = [
    ("hepatitis.csv", "Class"), ("vehicle.csv", "Class"), ("spambase.csv", "class"), ("glass.csv", "Type"),
    ("breast_cancer_wdbc.csv", "diagnosis"), ("breast_cancer_ljubljana.csv", "Class"),
    ("credit_approval.csv", "class"), ("wine_quality_red.csv", "quality"), ("house_votes_84.csv", "Class"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "target"), [*TABLES[:1], *TABLES[5:6], *rarely(*TABLES[1:5], *TABLES[6:])])
def test_better_than_the_base_rate(shared_data: Any, name: str, target: str) -> None:
    """Tables on which classical naive Bayes is worse, or nearly so: log loss of 5 folds."""
    X: Any = likely.read(shared_data / name, into="pandas")
    y = X.pop(target).astype(str).to_numpy()
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    p = cross_val_predict(NaiveBayes(), X, y, cv=folds, method="predict_proba")
    codes = np.unique(y, return_inverse=True)[1]
    loss = -np.log(p[np.arange(len(y)), codes]).mean()
    rates = np.bincount(codes) / len(y)
    assert loss < -rates @ np.log(rates) * 0.93


def test_whole_numbers_with_gaps_are_drawn_whole_in_a_dict_of_arrays():
    rng = np.random.default_rng(0)
    years = np.where(rng.random(200) < 0.1, np.nan, rng.integers(2000, 2020, 200))
    table = {"year": years, "size": rng.normal(size=200), "y": rng.choice(["a", "b"], 200)}
    drawn = likely.NaiveBayes().fit(table, "y").sample(20, random_state=0)
    assert drawn["year"].dtype == np.int64
    assert drawn["size"].dtype == np.float64
    assert set(drawn["year"]) <= set(range(2000, 2020))
