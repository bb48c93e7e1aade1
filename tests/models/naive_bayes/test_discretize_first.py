"""Numbers treated by discretising first: the bins, the counts, questions, draws, pieces and files."""

from __future__ import annotations

import numpy as np
import pytest

import likely
from likely import Discretize, LikelyError, NaiveBayes

RNG = np.random.default_rng(12)
N = 900
Y = RNG.choice(["a", "b", "c"], N, p=[0.5, 0.3, 0.2])
TABLE = {
    "age": np.where(Y == "a", RNG.gamma(3, 10, N), RNG.gamma(6, 10, N)).round(1),
    "height": RNG.normal(170, 8, N) + 12 * (Y == "c"),
    "visits": RNG.poisson(2, N) + 3 * (Y == "b"),
    "noise": RNG.normal(size=N),
}
GAPS = {name: np.where(RNG.random(N) < 0.1, np.nan, column) for name, column in TABLE.items()}


def plain(**options) -> NaiveBayes:
    return NaiveBayes(families="discretize", evidence_weights=None, **options)


def edges_of(model: NaiveBayes, table: dict) -> dict:
    """Where the log-odds of a column alone change, by its rows."""
    found = {}
    for name, column in table.items():
        values = np.unique(column[~np.isnan(column)])
        one = plain().fit({name: column}, Y)
        log = one.predict_log_proba({name: values})
        found[name] = values[1:][np.abs(np.diff(log, axis=0)).max(axis=1) > 1e-9]
    return found


@pytest.mark.parametrize("table", [TABLE, GAPS], ids=["whole", "gaps"])
def test_bins_are_those_of_fayyad_and_irani(table):
    theirs = Discretize("recursive").fit(table, Y).edges_
    for name, ours in edges_of(plain().fit(table, Y), table).items():
        values = np.unique(table[name][~np.isnan(table[name])])
        expected = values[np.searchsorted(values, theirs[name])]  # the first value of each bin but the first
        assert ours.tolist() == expected.tolist(), name
    assert not len(theirs["noise"])  # what tells nothing is one bin


@pytest.mark.parametrize("table", [TABLE, GAPS], ids=["whole", "gaps"])
def test_it_is_naive_bayes_of_the_bins(table):
    """The pipeline of both, with Laplace's prior in the bins; at both ends a row's share goes beyond."""
    bins = Discretize("recursive").fit(table, Y)
    labels = bins.transform(table)
    counted = NaiveBayes(evidence_weights=None, prior=likely.Laplace()).fit(labels, Y)
    ours = plain(prior=1.0).fit(table, Y)
    inner = np.all([np.isnan(c) | ((c > np.nanmin(c)) & (c < np.nanmax(c))) for c in table.values()], axis=0)
    rows = {name: column[inner] for name, column in table.items()}
    words = {name: np.asarray(column)[inner] for name, column in labels.items()}
    assert ours.predict_proba(rows) == pytest.approx(counted.predict_proba(words), abs=1e-12)


def test_questions_and_draws():
    model = plain().fit(TABLE, Y)
    edge = float(Discretize("recursive").fit(TABLE, Y).edges_["age"][0])
    share = np.mean(TABLE["age"] > edge)
    assert float(model.ask(f"P(age > {edge})")) == pytest.approx(share, abs=0.01)
    rate = np.mean(Y[TABLE["age"] > edge] == "a")
    assert float(model.ask(f"P(y = a | age > {edge})")) == pytest.approx(rate, abs=0.01)
    drawn = model.sample(20_000, random_state=0)
    for name, column in TABLE.items():
        assert drawn[name].min() >= column.min()
        assert drawn[name].max() <= column.max()
    assert (drawn["visits"] % 1 == 0).all()
    # 20,000 draws: 5 standard errors of a share are .018, once in 10^6.
    assert np.mean(drawn["age"] > edge) == pytest.approx(share, abs=0.02)


def test_ledger_weights_pieces_and_files(tmp_path):
    model = NaiveBayes(families={"age": "discretize", "noise": "discretize"}).fit(GAPS, Y)
    row = {name: column[:1] for name, column in TABLE.items()}
    ledger = model.explain(row)[0]
    assert "noise" in str(ledger)
    lines = model.describe()
    assert "age (quantitative, discretize)" in str(lines)
    assert "1 bin from" in str(lines)
    model.save(tmp_path / "it.likely")
    again = likely.load(tmp_path / "it.likely")
    assert (again.predict_proba(GAPS) == model.predict_proba(GAPS)).all()
    some = {name: column[:400] for name, column in GAPS.items()}
    rest = {name: column[400:] for name, column in GAPS.items()}
    both = plain().fit(some, Y[:400]) + plain().fit(rest, Y[400:])
    assert both.predict_proba(GAPS) == pytest.approx(plain().fit(GAPS, Y).predict_proba(GAPS), abs=1e-12)


def test_odd_columns():
    for column in ([1.0] * 4, [1.0, 2.0, 3.0, 4.0], [np.nan] * 3 + [1.0], [0.0, 0.0, 1e140, -1e140]):
        model = plain().fit({"x": np.array(column)}, ["a", "a", "b", "b"])
        assert np.isfinite(model.predict_proba({"x": [0.0, 7.0, 1e149, np.nan]})).all()
    many = NaiveBayes(families="discretize").fit({"x": np.arange(1500.0)}, np.arange(1500) % 750)
    assert np.isfinite(many.predict_proba({"x": [3.0]})).all()  # 3^750 is no number
    one = plain().fit({"x": [1.0, 2.0]}, ["a", "a"])
    assert one.predict_proba({"x": [5.0]}).tolist() == [[1.0]]
    with pytest.raises(LikelyError, match="discretize family cannot be learnt by EM"):
        likely.Mixture(2, families={"x": "discretize"}).fit({"x": [1.0, 2.0, 3.0]})


def test_a_new_value_between_two_bins_is_cut_midway():
    model = plain().fit({"x": [1.0, 2.0, 3.5, 4.0, 11.0, 12.0, 13.0, 14.25]}, list("aaaabbbb"))
    assert model.predict({"x": [5.0, 7.25, 7.5, 9.0]}).tolist() == ["a", "a", "b", "b"]
    whole = plain().fit({"x": [1, 2, 3, 4, 11, 12, 13, 14]}, list("aaaabbbb"))
    assert whole.predict({"x": [5, 7, 8, 9]}).tolist() == ["a", "a", "b", "b"]
