"""TAN and AODE against worked figures, brute force over missing cells, and the laws of copies."""

from __future__ import annotations

import json
from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from sklearn_checks import estimator_checks

import likely
from likely import AODE, NaiveBayes, Network, TreeAugmentedNaiveBayes
from likely.errors import LikelyError, LikelyWarning

DAYS = likely.read("play_tennis", into="dict")
TODAY = {"outlook": ["sunny"], "temperature": ["cool"], "humidity": ["high"], "windy": [True]}
PLAIN = {"no": 5 / 14, "yes": 9 / 14}
BOTH = [TreeAugmentedNaiveBayes, AODE]


def of_no(model) -> float:
    return float(model.predict_proba(TODAY)[0, 0])


@estimator_checks(TreeAugmentedNaiveBayes(), AODE())
def test_estimator_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    ("root", "figure"),
    [("outlook", 0.381679), ("temperature", 0.294118), ("humidity", 0.359477), ("windy", 0.377436)],
)
def test_tan_of_tennis_by_root(root: str, figure: float):
    model = TreeAugmentedNaiveBayes(root=root, backoff=None, base_rate=PLAIN).fit(DAYS, "play")
    assert of_no(model) == pytest.approx(figure, abs=6e-7)
    assert model.tree_[root] is None
    arcs = {frozenset((child, parent)) for child, parent in model.tree_.items() if parent}
    assert arcs == {
        frozenset(("temperature", "humidity")),
        frozenset(("outlook", "temperature")),
        frozenset(("outlook", "windy")),
    }
    assert sum(model.information_.values()) == pytest.approx(1.150938, abs=6e-7)


def test_tan_of_tennis_exactly():
    plain = TreeAugmentedNaiveBayes(backoff=None, base_rate=PLAIN).fit(DAYS, "play")
    assert plain.tree_["outlook"] is None  # it tells most of the class
    assert of_no(plain) == pytest.approx((1 / 252) / (1 / 252 + 9 / 1400), abs=1e-15)
    assert of_no(TreeAugmentedNaiveBayes(backoff=None).fit(DAYS, "play")) == pytest.approx(0.4, abs=1e-15)
    assert plain.n_parameters_ == 29 - 1  # of the network's 29, the base rate is given


def test_aode_of_tennis_exactly():
    model = AODE(backoff=None).fit(DAYS, "play")
    assert of_no(model) == pytest.approx(336372 / 536243, abs=1e-15)


def test_what_no_class_can_have_gets_the_base_rate_and_a_notice():
    model = TreeAugmentedNaiveBayes(prior=None, backoff=None).fit(DAYS, "play")
    with pytest.warns(LikelyWarning, match="1 of 1 rows have probability 0 in every class"):
        assert of_no(model) == pytest.approx(5 / 14, abs=1e-15)
    table = {"a": ["p", "p", "q"], "b": ["p", "p", "q"], "y": ["s", "s", "t"]}
    average = AODE(prior=None, backoff=None).fit(table, "y")
    with pytest.warns(LikelyWarning, match="2 of 3 rows have probability 0 in every class.*row 1"):
        p = average.predict_proba({"a": ["p", "p", "q"], "b": ["p", "q", "p"]})
    assert p[:, 0] == pytest.approx([1.0, 2 / 3, 2 / 3], abs=1e-15)


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("copies", [1, 2, 5])
def test_copies_of_a_column_change_nothing(kind, copies: int):
    """Maximum likelihood: the posterior of the single column, which naive Bayes does not give."""
    table = {f"outlook{i}": DAYS["outlook"] for i in range(copies)} | {"play": DAYS["play"]}
    asked = {f"outlook{i}": ["sunny", "overcast", "rainy"] for i in range(copies)}
    model = kind(prior=None, backoff=None).fit(table, "play")
    assert model.predict_proba(asked)[:, 0] == pytest.approx([0.6, 0.0, 0.4], abs=1e-12)
    naive = NaiveBayes(prior=None).fit(table, "play").predict_proba(asked)[:, 0]
    assert (copies == 1) == (abs(naive[0] - 0.6) < 1e-9)


@pytest.mark.parametrize("kind", BOTH)
def test_columns_that_tell_only_together(kind):
    """Equal in one class, opposite in the other: naive Bayes stays at the base rate."""
    a, b = np.array([False, True, False, True] * 5), np.array([False, True, True, False] * 5)
    table = {"a": a, "b": b, "y": np.where(a == b, "+", "-")}
    assert NaiveBayes(prior=None).fit(table, "y").predict_proba(table) == pytest.approx(0.5)
    sure = kind(prior=None, backoff=None).fit(table, "y").predict_proba(table)
    assert sure[:, 0] == pytest.approx((a == b).astype(float), abs=1e-12)
    joined = NaiveBayes(products=[("a", "b")], prior=None).fit(table, "y").predict_proba(table)
    assert joined[:, 0] == pytest.approx((a == b).astype(float), abs=1e-12)


def independent_table() -> dict:
    """All combinations of three columns, in each class as often as a product of shares says."""
    rows = []
    for label, shares in (("x", (1, 3)), ("y", (2, 1))):
        for a, b, c in product(range(2), repeat=3):
            rows += [(a, b, c, label)] * (shares[a] * shares[b] * shares[c])
    a, b, c, y = zip(*rows, strict=True)
    names = ("no", "yes")
    return {"a": [names[i] for i in a], "b": [names[i] for i in b], "c": [names[i] for i in c], "y": list(y)}


@pytest.mark.parametrize("missing", ["ignore", "level"])
def test_a_tree_without_arcs_is_naive_bayes(missing: str):
    table = independent_table()
    tan = TreeAugmentedNaiveBayes(missing=missing, evidence_weights=None).fit(table, "y")
    assert set(tan.tree_.values()) == {None}
    naive = NaiveBayes(evidence_weights=None, missing=missing).fit(table, "y")
    assert tan.predict_proba(table) == pytest.approx(naive.predict_proba(table), abs=1e-12)


def gappy(n: int = 300, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    table = pd.DataFrame(
        {
            "a": np.array(["u", "v", "w"])[(y + rng.integers(0, 2, n)) % 3],
            "b": np.array(["p", "q"])[(y + rng.integers(0, 3, n)) % 2],
            "c": rng.random(n) < 0.2 + 0.3 * (y == 1),
            "d": rng.normal(y, 1.5),
        }
    )
    table["b"] = np.where(rng.random(n) < 0.7, table["b"], np.where(table["a"] == "u", "p", "q"))
    table = table.astype(object).mask(rng.random(table.shape) < 0.15)
    table["d"] = table["d"].astype(float)
    return table.assign(y=np.array(["one", "two", "three"])[y])


def test_missing_cells_are_summed_out_of_a_tree():
    """Against the sum over every value that the missing cells could have."""
    table = gappy()
    model = TreeAugmentedNaiveBayes(evidence_weights=None).fit(table, "y")
    tables, reading = model.record_.tables, model.record_.reading
    codes = reading.rows_of(model._frame(table)).rows(0, len(table))
    assert (codes < 0).any(axis=1).sum() > 100
    for row, told in zip(codes[:60], tables.log_joint(codes[:60]), strict=True):
        ways = [[v] if v >= 0 else range(k) for v, k in zip(row, reading.sizes, strict=True)]
        whole = tables.log_joint(np.array(list(product(*ways))))
        assert told == pytest.approx(np.logaddexp.reduce(whole, axis=0), abs=1e-12)


def test_aode_by_hand():
    """Against the definition, column by column."""
    table = gappy(seed=3)
    model = AODE(backoff=2.0, least=3, evidence_weights=None).fit(table, "y")
    record = model.record_
    codes = record.reading.rows_of(model._frame(table)).rows(0, len(table))
    pairs, sizes, g = record.pairs, record.reading.sizes, 3
    for row, told in zip(codes[:40], model.predict_proba(table.iloc[:40]), strict=True):
        known = [j for j in range(4) if row[j] >= 0]
        total, parents = np.zeros(g), 0
        for j in known:
            single = pairs.single(j)
            if single[:, row[j]].sum() < 3:
                continue
            parents += 1
            p = (single[:, row[j]] + 1) / (single.sum() + g * sizes[j])
            for i in known:
                if i != j:
                    alone = (pairs.single(i)[:, row[i]] + 1) / (pairs.single(i).sum(axis=1) + sizes[i])
                    both = pairs.pair(j, i)[:, row[j]]
                    p = p * (both[:, row[i]] + 2.0 * alone) / (both.sum(axis=1) + 2.0)
            total += p
        assert parents
        assert told == pytest.approx(total / total.sum(), abs=1e-12)


def test_aode_without_a_parent_is_naive_bayes():
    table = gappy(seed=5)
    few = AODE(least=1e9, evidence_weights=None).fit(table, "y")
    pairs, record = few.record_.pairs, few.record_
    codes = record.reading.rows_of(few._frame(table)).rows(0, len(table))
    logs = np.tile(np.log(record.rates), (len(codes), 1))
    for j in range(4):
        shares = np.log((pairs.single(j) + 1) / (pairs.single(j).sum(axis=1, keepdims=True) + pairs.sizes[j]))
        known = codes[:, j] >= 0
        logs[known] += shares[:, codes[known, j]].T
    p = np.exp(logs)
    assert few.predict_proba(table) == pytest.approx(p / p.sum(axis=1, keepdims=True), abs=1e-12)


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("options", [{}, {"evidence_weights": None}, {"missing": "level"}, {"prior": 0.1}])
def test_the_ledger_sums(kind, options: dict):
    table = gappy(seed=1)
    model = kind(**options).fit(table, "y")
    some = table.iloc[:50]
    for asked in ({}, {"favoured": "two", "against": "one"}, {"order": ["d", "c", "b", "a"]}):
        ledgers = model.explain(some, **asked)
        log_p = model.predict_log_proba(some)
        rows = np.arange(50)
        odds = log_p[rows, ledgers.favoured] - log_p[rows, ledgers.against]
        assert ledgers.total == pytest.approx(odds, abs=1e-10)
        assert (ledgers.terms[ledgers.status == 1] == 0).all()  # a missing cell adds nothing
    shown = str(model.explain(some)[0])
    assert "base rate" in shown
    assert "d" in str(model.importance(some))


def test_a_line_of_a_tree_is_what_a_column_says_given_its_parent():
    model = TreeAugmentedNaiveBayes(backoff=None).fit(DAYS, "play")
    ledger = model.explain(TODAY, "no", "yes")
    record = model.record_
    windy = record.tables.tables[3]  # given outlook, whose levels are overcast, rainy, sunny
    assert ledger.terms[0, 3] == pytest.approx(windy[0, 2, 1] - windy[1, 2, 1], abs=1e-12)


@pytest.mark.parametrize("kind", BOTH)
def test_weights_count_rows(kind):
    table = gappy(n=120, seed=2)
    times = np.random.default_rng(0).integers(0, 3, 120)
    weighed = kind(evidence_weights=None).fit(table, "y", sample_weight=times)
    again = kind(evidence_weights=None).fit(table.loc[table.index.repeat(times)].reset_index(drop=True), "y")
    assert weighed.predict_proba(table) == pytest.approx(again.predict_proba(table), abs=1e-12)


@pytest.mark.parametrize("kind", BOTH)
def test_learnt_weight_keeps_from_overconfidence(kind):
    """Noisy copies of one column: all of the evidence would count too much."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 1000)
    x = np.stack([(y + (rng.random(1000) < 0.4)) % 2 for _ in range(2)], axis=1)
    noisy = np.concatenate([np.where(rng.random((1000, 4)) < 0.1, 1 - x[:, [0]], x[:, [0]]), x], axis=1)
    model = kind(kinds="categorical").fit(noisy, y)
    assert 0 < model.evidence_weight_ <= 1
    assert kind(kinds="categorical", evidence_weights=None).fit(noisy, y).evidence_weight_ == 1.0
    assert kind().fit(DAYS, "play").evidence_weight_ == 1.0  # fewer than 30 rows cannot tell


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("n", [1, 2, 40])
@pytest.mark.parametrize("what", ["constant", "all missing", "one class", "huge", "empty level"])
def test_odd_tables(kind, n: int, what: str):
    rng = np.random.default_rng(n)
    table = pd.DataFrame(
        {"a": rng.normal(size=n), "b": rng.choice(["p", "q"], n), "y": (["s", "t"] * n)[:n]}
    )[:n]
    if what == "constant":
        table["a"] = 1.0
    elif what == "all missing":
        table["a"], table["b"] = np.nan, None
    elif what == "one class":
        table["y"] = "s"
    elif what == "huge":
        table["a"] *= 1e140
    else:
        table["b"] = pd.Categorical(table["b"], categories=["p", "q", "never"])
    model = kind().fit(table, "y")
    p = model.predict_proba(table)
    assert np.isfinite(p).all()
    assert p.sum(axis=1) == pytest.approx(1.0)
    unseen = model.predict_proba({"a": [np.nan], "b": [None]})
    assert unseen[0] == pytest.approx(model.base_rate_, abs=0.35 if kind is AODE else 1e-12)


@pytest.mark.parametrize("kind", BOTH)
def test_base_rates(kind):
    model = kind().fit(DAYS, "play")
    even = model.with_base_rate("uniform")
    assert even.base_rate_ == pytest.approx([0.5, 0.5])
    odds = model.predict_log_proba(TODAY)[0] @ [1, -1] - np.log(model.base_rate_) @ [1, -1]
    assert even.predict_log_proba(TODAY)[0] @ [1, -1] == pytest.approx(odds, abs=1e-12)


@pytest.mark.parametrize("kind", BOTH)
def test_it_can_be_asked_about_its_target(kind):
    model = kind().fit(DAYS, "play")
    p = model.ask("P(play=no | outlook=sunny, temperature=cool, humidity=high, windy=true)")
    assert float(p) == pytest.approx(of_no(model), abs=1e-12)
    untold = {**TODAY, "temperature": [None]}
    p = model.ask("P(play=no | outlook=sunny, humidity=high, windy=true)")
    assert float(p) == pytest.approx(float(model.predict_proba(untold)[0, 0]), abs=1e-12)
    with pytest.raises(LikelyError, match="knows 'play' given the columns"):
        model.ask("P(windy=true)")


@pytest.mark.parametrize("kind", BOTH)
def test_files_and_the_command_line(kind, tmp_path, monkeypatch):
    from likely.cli.app import likely as app

    table = gappy(seed=4)
    model = kind(missing="level").fit(table, "y")
    model.save(tmp_path / "m.likely")
    again = likely.load(tmp_path / "m.likely")
    assert (again.predict_proba(table) == model.predict_proba(table)).all()
    assert again.n_parameters_ == model.n_parameters_
    assert "Draw" in str(again.story())
    monkeypatch.chdir(tmp_path)
    run, word = CliRunner(), "tan" if kind is TreeAugmentedNaiveBayes else "aode"
    said = run.invoke(app, ["learn", "titanic", "-t", "survived", "--model", word, "--json"])
    assert said.exit_code == 0, said.output
    assert json.loads(said.stdout)["model"] == kind.__name__
    for verb in (
        ["show", "titanic.likely"],
        ["explain", "titanic.likely", "titanic", "--row", "1"],
        ["diff", *["titanic.likely"] * 2],
    ):
        done = run.invoke(app, verb)
        assert done.exit_code == 0, done.output
    done = run.invoke(app, ["ask", "titanic.likely", "P(survived=yes | sex=female)"])
    assert done.exit_code == 0, done.output


def test_records_that_cannot_be_are_refused():
    from dataclasses import replace

    record = TreeAugmentedNaiveBayes().fit(DAYS, "play").record_
    record.check()
    for broken in (
        replace(record, tree=(1, 0, -1, -1)),
        replace(record, tree=(-1,)),
        replace(record, tree=(-1, 9, -1, -1)),
        replace(record, weight=2.0),
        replace(record, class_counts=record.class_counts * -1),
        replace(record, pairs=replace(record.pairs, table=record.pairs.table * np.nan)),
        replace(record, pairs=replace(record.pairs, sizes=(1, 1, 1, 1))),
    ):
        with pytest.raises(LikelyError):
            broken.check()


@pytest.mark.parametrize(
    ("said", "options"),
    [
        ("root='moon' is no column", {"root": "moon"}),
        ("prior='strong'", {"prior": "strong"}),
        ("prior=-1", {"prior": -1}),
        ("backoff=-1", {"backoff": -1}),
        ("missing='drop'", {"missing": "drop"}),
        ("evidence_weights='some'", {"evidence_weights": "some"}),
        ("text", {"kinds": {"outlook": "text"}}),
    ],
)
def test_what_cannot_be_meant_is_refused(said: str, options: dict):
    with pytest.raises(LikelyError, match=said):
        TreeAugmentedNaiveBayes(**options).fit(DAYS, "play")
    with pytest.raises(LikelyError, match="least=-1"):
        AODE(least=-1).fit(DAYS, "play")


def test_too_many_levels_are_refused_before_any_work():
    table = {"a": [f"level {i}" for i in range(12000)], "y": ["s", "t"] * 6000}
    with pytest.raises(LikelyError, match="12000 levels: too many to count all pairs"):
        AODE().fit(table, "y")


def test_the_order_of_columns_decides_nothing_in_ties():
    """Three columns of which every two tell the same: every order of columns gives the same tree."""
    rng = np.random.default_rng(0)
    days = rng.integers(0, 2, (12, 4))
    alike = np.concatenate([days[:, list(turn)] for turn in permutations(range(3))])
    table = pd.DataFrame(alike, columns=list("abc")).astype(str)
    table["y"] = np.tile(days[:, 3], 6).astype(str)
    for order in permutations("abc"):
        turned = table[[*order, "y"]]
        tree = TreeAugmentedNaiveBayes(evidence_weights=None).fit(turned, "y")
        assert tree.tree_ == {"a": None, "b": "a", "c": "a"}
        network = Network("tan").fit(turned, "y")
        assert sorted(network.arcs_) == [("a", "b"), ("a", "c"), ("y", "a"), ("y", "b"), ("y", "c")]
        assert sorted(Network("tree").fit(turned[list(order)]).arcs_) == [("a", "b"), ("a", "c")]
