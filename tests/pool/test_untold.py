"""Cells of which nothing is known are averaged over, whoever asks."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest

import likely

RNG = np.random.default_rng(0)
N = 600
Y = RNG.integers(0, 2, N)
TABLE = {
    "colour": np.where(RNG.random(N) < 0.3 + 0.4 * Y, "red", RNG.choice(["green", "blue"], N)),
    "size": RNG.normal(1.5 * Y, 1.0),
    "noise": RNG.choice(["u", "v", "w"], N),
    "y": np.where(Y, "yes", "no"),
}


@pytest.fixture(scope="module")
def model() -> likely.Classifier:
    return likely.Classifier("fast").fit(TABLE, "y")


def test_nothing_told_is_the_base_rate(model):
    """Of 64 ways, to which no row and no column is a part of its own: within .03."""
    assert float(model.ask("P(y=yes)")) == pytest.approx(Y.mean(), abs=0.03)
    rows = {"colour": [None], "size": [np.nan], "noise": [None]}
    assert model.predict_proba(rows)[0, 1] == pytest.approx(Y.mean(), abs=0.03)


@pytest.mark.parametrize("colour", ["red", "blue"])
def test_one_column_told_is_about_its_share(model, colour):
    """The standard error of the share is .03; the average over naive Bayes has an error of its own."""
    own = TABLE["colour"] == colour
    assert float(model.ask(f"P(y=yes | colour={colour})")) == pytest.approx(Y[own].mean(), abs=0.1)


def test_the_average_is_that_of_the_rows_that_agree():
    """Two columns of levels, one untold: the answers for its values, as often as these stand beside red."""
    table = {name: TABLE[name] for name in ("colour", "noise", "y")}
    model = likely.Classifier("fast").fit(table, "y")
    told = model.predict_proba({"colour": ["red", "red", "red"], "noise": ["u", "v", "w"]})[:, 1]
    beside = table["noise"][table["colour"] == "red"]
    asked = float(model.ask("P(y=yes | colour=red)"))
    assert asked == pytest.approx(np.dot([(beside == value).mean() for value in "uvw"], told), abs=0.005)
    assert asked == model.predict_proba({"colour": ["red"], "noise": [None]})[0, 1]


@pytest.mark.parametrize("copies", [1, 3, 6])
def test_columns_that_say_the_same_are_heard_once(copies):
    """One fact told: the share of the rows, however often other columns repeat it."""
    table = {"colour": TABLE["colour"], "y": TABLE["y"]}
    rng = np.random.default_rng(1)
    for j in range(copies):
        table[f"copy {j}"] = np.where(rng.random(N) < 0.9, TABLE["colour"], "green")
    model = likely.Classifier("fast").fit(table, "y")
    for colour in ("red", "green", "blue"):
        own = TABLE["colour"] == colour
        share, n = Y[own].mean(), own.sum()
        # The members draw small groups towards the others: a standard error is allowed for that.
        assert abs(float(model.ask(f"P(y=yes | colour={colour})")) - share) < np.sqrt(0.25 / n)


class TestAnotherBaseRate:
    """P'(class | row) is in proportion to P(class | row) b' / b, whatever P says of the row."""

    ROWS: ClassVar = {
        "colour": ["red", None, None, "blue", "red"],
        "size": [np.nan, np.nan, 0.4, np.nan, 0.1],
        "noise": ["u", None, "w", None, "v"],
    }

    def test_two_classes(self, model):
        other = model.with_base_rate({"yes": 0.1, "no": 0.9})
        b, before = Y.mean(), model.predict_proba(self.ROWS)[:, 1]
        odds = before / (1 - before) * (0.1 / b) / (0.9 / (1 - b))
        np.testing.assert_allclose(other.predict_proba(self.ROWS)[:, 1], odds / (1 + odds), rtol=1e-12)
        for told in ("", " | colour=red", " | noise=u, size=0.3"):
            before = float(model.ask(f"P(y=yes{told})"))
            part = np.array([before * 0.1 / b, (1 - before) * 0.9 / (1 - b)])
            assert float(other.ask(f"P(y=yes{told})")) == pytest.approx(part[0] / part.sum(), rel=1e-12)

    def test_three_classes_and_back(self):
        size = TABLE["size"]
        y = np.where(size < 0, "low", np.where(TABLE["colour"] == "red", "mid", "top"))
        model = likely.Classifier("additive").fit({k: TABLE[k] for k in self.ROWS}, y)
        before, seen = model.predict_proba(self.ROWS), np.unique(y, return_counts=True)[1] / N
        wanted = np.array([0.7, 0.2, 0.1])
        other = model.with_base_rate("uniform").with_base_rate(dict(zip(model.classes_, wanted, strict=True)))
        moved = before * wanted / seen
        np.testing.assert_allclose(
            other.predict_proba(self.ROWS), moved / moved.sum(axis=1, keepdims=True), rtol=1e-11
        )
        told = other.predict_interval(self.ROWS)
        np.testing.assert_allclose(told.probability, other.predict_proba(self.ROWS), rtol=1e-12)
        back = other.with_base_rate(dict(zip(model.classes_, seen, strict=True)))
        np.testing.assert_allclose(back.predict_proba(self.ROWS), before, rtol=1e-11)

    def test_its_file(self, model, tmp_path):
        other = model.with_base_rate({"yes": 0.1, "no": 0.9})
        other.save(tmp_path / "a.likely")
        again = likely.load(tmp_path / "a.likely").predict_proba(self.ROWS)
        np.testing.assert_array_equal(again, other.predict_proba(self.ROWS))


def test_rows_that_count_more_are_met_more_often():
    weight = np.where(TABLE["noise"] == "u", 20.0, 1.0)
    table = {name: TABLE[name] for name in ("colour", "noise")}
    model = likely.Classifier("fast").fit(table, TABLE["y"], sample_weight=weight)
    share = np.average(Y, weights=weight)
    assert float(model.ask("P(y=yes)")) == pytest.approx(share, abs=0.04)


def test_no_answer_depends_on_the_other_rows(model):
    rows = {
        "colour": ["red", None, "blue", None],
        "size": [np.nan, 0.3, 1.0, 2.0],
        "noise": ["u", "v", "w", None],
    }
    whole = model.predict_proba(rows)
    alone = [
        model.predict_proba({name: cells[i : i + 1] for name, cells in rows.items()})[0] for i in range(4)
    ]
    np.testing.assert_array_equal(whole, alone)
    np.testing.assert_allclose(whole.sum(axis=1), 1, rtol=1e-12)


def test_ledgers_of_such_rows_still_sum(model):
    rows = {"colour": [None, "red"], "size": [0.5, np.nan], "noise": ["u", None]}
    ledgers, log_p = model.explain(rows), model.predict_log_proba(rows)
    odds = log_p[[0, 1], ledgers.favoured] - log_p[[0, 1], ledgers.against]
    np.testing.assert_allclose(ledgers.total, odds, atol=1e-12)


def test_a_gap_that_was_seen_is_a_fact_but_not_in_a_question():
    """Missing only where the answer is yes: to be missing says yes, not to be asked about says nothing."""
    size = np.where((Y == 1) & (RNG.random(N) < 0.5), np.nan, TABLE["size"])
    model = likely.Classifier("fast").fit({"size": size, "noise": TABLE["noise"], "y": TABLE["y"]}, "y")
    assert model.predict_proba({"size": [np.nan], "noise": ["u"]})[0, 1] > 0.9
    assert float(model.ask("P(y=yes)")) == pytest.approx(Y.mean(), abs=0.03)
