"""The ledger's law: its lines add up to the log posterior odds."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest

from likely import LikelyError, NaiveBayes, read


def table(n: int = 300) -> pd.DataFrame:
    rng = np.random.default_rng(8)
    y = rng.integers(0, 4, n)
    frame = pd.DataFrame(
        {
            "flag": pd.array(rng.random(n) < 0.2 + 0.15 * y, dtype="boolean"),
            "word": pd.Series(np.array(list("abcde"))[(rng.integers(0, 4, n) + y) % 5], dtype=object),
            "visits": rng.poisson(1 + y).astype(float),
            "size": rng.normal(size=n) * (1 + y) + 3 * y,
            "y": np.array(["n", "e", "s", "w"])[y],
        }
    )
    for name in ("flag", "word", "visits", "size"):
        frame.loc[rng.random(n) < 0.1, name] = None
    return frame


TABLE = table()
FEATURES = TABLE.drop(columns="y")


@pytest.mark.parametrize("estimate", ["mean", "map", "predictive"])
@pytest.mark.parametrize("missing", ["ignore", "level"])
@pytest.mark.parametrize("base_rate", [None, "uniform"])
def test_lines_add_up(estimate, missing, base_rate):
    options = {"estimate": estimate, "missing": missing, "base_rate": base_rate}
    model = NaiveBayes(
        kinds={"visits": "count"}, **{"families": "classical", "evidence_weights": None, **options}
    ).fit(TABLE, "y")
    log_posterior = model.predict_log_proba(FEATURES)
    ledgers = model.explain(FEATURES)
    order = np.argsort(-log_posterior, axis=1)
    assert (ledgers.favoured == order[:, 0]).all()
    assert (ledgers.against == order[:, 1]).all()
    rows = np.arange(len(FEATURES))
    odds = log_posterior[rows, order[:, 0]] - log_posterior[rows, order[:, 1]]
    size = np.abs(ledgers.base) + np.abs(ledgers.terms).sum(axis=1) + np.abs(ledgers.rest).sum(axis=1)
    assert (
        np.abs(ledgers.base + ledgers.terms.sum(axis=1) + ledgers.rest.sum(axis=1) - odds) <= 1e-12 * size
    ).all()
    assert (np.abs(ledgers.total - odds) <= 1e-12 * size).all()


def test_any_pair():
    model = NaiveBayes(kinds={"visits": "count"}, families="classical", evidence_weights=None).fit(TABLE, "y")
    found = model.explain(FEATURES, "s", "w").total
    log_posterior = model.predict_log_proba(FEATURES)
    assert found == pytest.approx(log_posterior[:, 2] - log_posterior[:, 3], abs=1e-11)
    with pytest.raises(LikelyError, match="weighed against itself"):
        model.explain(FEATURES, "s", "s")
    with pytest.raises(LikelyError, match="class 'x', which the model does not know"):
        model.explain(FEATURES, "x")
    against = model.explain(FEATURES, against="w")
    assert (against.against == 3).all()
    assert (against.favoured != 3).all()


@pytest.mark.parametrize("order", [None, ["size", "word", "visits", "flag"]])
def test_against_all_others(order):
    model = NaiveBayes(kinds={"visits": "count"}, families="classical", evidence_weights=None).fit(TABLE, "y")
    ledgers = model.explain(FEATURES, "s", others=True, order=order)
    p = model.predict_proba(FEATURES)[:, 2]
    assert ledgers.total == pytest.approx(np.log(p / (1 - p)), abs=1e-9)
    assert ledgers.order == tuple(order or FEATURES.columns)
    assert "one after another" in str(ledgers[0]) or "order" in str(ledgers[0])
    with pytest.raises(LikelyError, match="say which class"):
        model.explain(FEATURES, others=True)
    # The first step alone: the model that knows only the first feature.
    first = ledgers.order[0]
    alone = FEATURES.copy()
    alone[[name for name in FEATURES if name != first]] = np.nan
    q = model.predict_proba(alone)[:, 2]
    place = list(FEATURES.columns).index(first)
    assert ledgers.base + ledgers.terms[:, place] == pytest.approx(np.log(q / (1 - q)), abs=1e-9)


def test_missing_and_never_seen_are_said_so():
    model = NaiveBayes(families="classical", evidence_weights=None).fit(
        read("titanic", into="dict"), "survived"
    )
    text = str(model.explain({"class": [None], "sex": ["other"], "age": ["child"]})[0])
    assert "missing" in text
    assert "never seen" in text
    ledger = model.explain({"class": [None], "sex": ["other"], "age": ["child"]})
    assert ledger.terms[0, :2].tolist() == [0.0, 0.0]


def test_linear_form():
    """CIML eq. 9.28: for Boolean features the log-odds are weights . x + bias."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 400)
    x = rng.random((400, 6)) < np.where(y[:, None], [0.9, 0.5, 0.3, 0.2, 0.6, 0.5], 0.4)
    model = NaiveBayes(families="classical", evidence_weights=None).fit(x, y)
    form = model.linear_form()
    log_posterior = model.predict_log_proba(x)
    assert form.bias + x @ form.weights == pytest.approx(log_posterior[:, 1] - log_posterior[:, 0], abs=1e-12)
    with pytest.raises(LikelyError, match="column 'size' is quantitative"):
        NaiveBayes(families="classical", evidence_weights=None).fit(TABLE[["size", "y"]], "y").linear_form()


def test_nomogram_adds_up():
    model = NaiveBayes(kinds={"visits": "count"}, families="classical", evidence_weights=None).fit(TABLE, "y")
    picture = model.nomogram("s", "w")
    row = {"flag": True, "word": "b", "visits": 2, "size": None}
    table = {"flag": [True], "word": ["b"], "visits": [2], "size": [np.nan]}
    log_posterior = model.predict_log_proba(pd.DataFrame(table))
    assert picture.score(row) == pytest.approx(log_posterior[0, 2] - log_posterior[0, 3], abs=1e-9)


def test_what_has_no_nomogram_says_so():
    joint = NaiveBayes(families="multivariate_normal", evidence_weights=None).fit(
        {"a": [1.0, 2, 3, 5], "b": [1.0, 0, 2, 1]}, [0, 0, 1, 1]
    )
    with pytest.raises(LikelyError, match=r"column 'a' .*multivariate_normal.* would not add up"):
        joint.nomogram()


def test_importance_is_the_mean_absolute_evidence():
    model = NaiveBayes(kinds={"visits": "count"}, families="classical", evidence_weights=None).fit(TABLE, "y")
    found = model.importance(FEATURES)
    expected = np.abs(model.explain(FEATURES).terms).mean(axis=0)
    assert dict(zip(found.names, found.mean_absolute, strict=True)) == pytest.approx(
        dict(zip(FEATURES.columns, expected, strict=True)), rel=1e-12
    )


def test_options_that_do_not_go_together():
    model = NaiveBayes(kinds={"visits": "count"}, families="classical", evidence_weights=None).fit(TABLE, "y")
    with pytest.raises(LikelyError, match="others=True"):
        model.explain(FEATURES, "s", "w", others=True)
    with pytest.raises(LikelyError, match="order= is for others=True"):
        model.explain(FEATURES, "s", order=list(FEATURES.columns))


def test_ledgers_can_be_pickled():
    model = NaiveBayes(kinds={"visits": "count"}, families="classical", evidence_weights=None).fit(TABLE, "y")
    ledgers = model.explain(FEATURES[:3])
    again = pickle.loads(pickle.dumps(ledgers))
    assert str(again[1]) == str(ledgers[1])


@pytest.mark.parametrize("far", [1e3, 1e6, 1e9, 1e16, 1e100])
def test_values_far_from_every_class(far):
    """Where the spreads are alike the squares cancel; what is left is linear, and must keep its digits."""
    table = {"a": [1.0, 2, 3, 4, 5, 6], "b": list("xyxyxz")}
    model = NaiveBayes(families="classical", evidence_weights=None).fit(table, ["n", "p"] * 3)
    row = {"a": [far], "b": ["x"]}
    ledger = model.explain(row, "p", "n")
    log_posterior = model.predict_log_proba(row)[0]
    size = np.abs(ledger.base) + np.abs(ledger.terms).sum(axis=1)
    assert np.abs(ledger.total - (log_posterior[1] - log_posterior[0])) <= 1e-12 * size
    assert model.predict(row).tolist() == ["p"]
    # Means 3 and 4, nearer to 3.5 by a hundredth of a row times the share of the variance, 17.5 / 6,
    # that is within the classes, 16 / 6. Both variances (8/3 + 8 + ...) / 4.
    worth = 0.01 * 16 / 17.5
    mean = 3 + 0.5 * worth / (3 + worth)
    variance = (8 / 3 + 8 + 0.25 * worth * 3 / (3 + worth)) / 4
    assert ledger.terms[0, 0] == pytest.approx(2 * (3.5 - mean) * (far - 3.5) / variance, rel=1e-9)
