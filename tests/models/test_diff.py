"""What two models disagree on, against figures counted by hand."""

from __future__ import annotations

import json
from datetime import date

import numpy as np
import pytest
from saving_cases import CASES

import likely
from likely.errors import LikelyError

BEFORE = {"colour": ["red", "red", "blue", "blue"], "size": [1.0, 3.0, 5.0, 7.0]}
AFTER = {"colour": ["red", "green", "blue", "blue"], "size": [1.0, 3.0, 5.0, 9.0]}
Y = ["a", "a", "b", "b"]


def _fit(table, y=None, **parameters):
    return likely.NaiveBayes(
        prior=None, **{"families": "classical", "evidence_weights": None, **parameters}
    ).fit(table, Y if y is None else y)


def _by(changes):
    return {(c.column, c.group, c.what): (c.before, c.after) for c in changes}


def test_counts_probabilities_and_levels():
    found = likely.diff(_fit(BEFORE), _fit(AFTER))
    assert not found.same
    assert found.levels == {"colour": (("green",), ())}
    assert _by(found.counts) == {("colour", "a", "count of red"): (2, 1)}
    assert _by(found.probabilities) == {
        ("colour", "a", "P of red"): (1.0, 0.5),
        ("size", "b", "mean"): (6.0, 7.0),
        ("size", "b", "sd"): (1.0, 2.0),
    }
    # In sds of the first model the mean moved by 1 and the sd by 1; the probability by one half.
    assert [c.size for c in found.probabilities] == [1.0, 1.0, 0.5]
    assert found.rows == ()


def test_rows_and_base_rates():
    found = likely.diff(_fit(BEFORE), _fit({k: v[:3] for k, v in BEFORE.items()}, Y[:3]))
    assert _by(found.rows) == {
        ("", "b", "rows"): (2, 1),
        ("", "a", "base rate"): (0.5, pytest.approx(2 / 3)),
        ("", "b", "base rate"): (0.5, pytest.approx(1 / 3)),
    }


def test_models_of_other_columns_and_classes():
    other = {"size": [1, 2, 3, 4], "day": [date(2024, 1, i) for i in range(1, 5)]}
    found = likely.diff(
        _fit(BEFORE), _fit(other, ["a", "c", "c", "a"], kinds={"size": "categorical"}, missing="level")
    )
    assert found.columns == (("day",), ("colour",))
    assert found.classes == (("c",), ("b",))
    assert found.kinds == {"size": ("quantitative", "categorical")}
    assert found.families == {"size": ("normal", "categorical")}
    assert found.parameters["missing"] == ("'ignore'", "'level'")
    said = str(found)
    for line in ("new column: day", "gone class: b", "family of size: normal -> categorical"):
        assert line in said.splitlines()


def test_words_and_gaps():
    mails = {"text": ["win money", "meet me"], "x": [1.0, None]}
    more = {"text": ["win win", "meet me"], "x": [1.0, 2.0]}
    a, b = (_fit(t, ["s", "h"], kinds={"text": "text"}, missing="level") for t in (mails, more))
    found = likely.diff(a, b)
    assert _by(found.counts)["text", "s", "count of win"] == (1, 2)
    assert _by(found.probabilities)["text", "s", "rate of win"] == (1.0, 2.0)
    assert _by(found.probabilities)["x", "h", "P of missing"] == (1.0, 0.0)
    assert found.levels["text"] == ((), ("money",))


def test_the_same_is_the_same():
    for case in CASES[::4]:
        assert likely.diff(case.fit(), case.fit()).same
    assert str(likely.diff(_fit(BEFORE), _fit(BEFORE))) == "the models are the same, to the last bit"
    one = _fit({"x": [1, 2, 1, 2]}, kinds="categorical")
    assert not likely.diff(one, _fit({"x": [1.0, 2.0, 1.0, 2.0]}, kinds="categorical")).same  # 1 is not 1.0


@pytest.mark.parametrize("place", range(0, len(CASES), 3), ids=lambda i: CASES[i].name)
def test_any_two_models_can_be_compared(place):
    a, b = CASES[place].fit(), CASES[(place * 5 + 1) % len(CASES)].fit()
    found = likely.diff(a, b)
    json.dumps(found.to_dict())
    assert len(str(found).splitlines()) > 1
    there, back = likely.diff(a, b), likely.diff(b, a)
    assert len(there.probabilities) == len(back.probabilities)
    assert there.columns == back.columns[::-1]


def test_only_the_largest_changes_are_kept_of_many():
    rng = np.random.default_rng(3)
    words = [f"w{i}" for i in range(3000)]
    tables = [{"text": [" ".join(rng.choice(words, 2000)) for _ in range(4)]} for _ in range(2)]
    found = likely.diff(*(_fit(table, kinds={"text": "text"}) for table in tables))
    assert len(found.counts) == 1000
    sizes = [change.size for change in found.counts]
    assert sizes == sorted(sizes, reverse=True)
    assert ", the largest 12 changes" in str(found)


def test_only_models_are_compared():
    with pytest.raises(LikelyError, match="no model of this library"):
        likely.diff(_fit(BEFORE), "model.likely")


def test_coefficients_of_two_regressions():
    table = likely.read("titanic")
    plain = likely.LogisticRegression(None).fit(table, "survived")
    again = likely.LogisticRegression(likely.Normal(0, 1), kinds=None).fit(table[::2], "survived")
    found = likely.diff(plain, again)
    sides = [table["survived"], table["survived"][::2]]
    for label in ("no", "yes"):
        rows = tuple((side == label).sum() for side in sides)
        shares = tuple((side == label).mean() for side in sides)
        assert _by(found.rows)["", label, "rows"] == rows
        assert _by(found.rows)["", label, "base rate"] == pytest.approx(shares)
    assert len(found.rows) == 4
    names, errors = ("intercept", *plain.coef_names_), plain.standard_errors_[0]
    both = [name for name in names if name in ("intercept", *again.coef_names_)]
    for name in both:
        (change,) = (c for c in found.probabilities if c.what in (name, f"coefficient of {name}"))
        before = np.append(plain.intercept_, plain.coef_)[names.index(name)]
        after = np.append(again.intercept_, again.coef_)[("intercept", *again.coef_names_).index(name)]
        assert (change.group, change.before, change.after) == ("yes", before, after)
        assert change.size == pytest.approx(abs(after - before) / errors[names.index(name)])
    assert [c.size for c in found.probabilities] == sorted(c.size for c in found.probabilities)[::-1]
    assert "coefficient of" in str(found)
    assert likely.diff(plain, plain).same
    json.dumps(found.to_dict())


def test_outcomes_and_models_of_different_kinds():
    x = {"a": [0.0, 1.0, 2.0, 3.0]}
    one = likely.LinearRegression().fit(x, [1.0, 2.0, 2.0, 4.0])
    two = likely.LinearRegression().fit({"a": [0.0, 1.0, 2.0, 3.0, 4.0]}, [1.0, 2.0, 2.0, 4.0, 5.0])
    found = likely.diff(one, two)
    assert _by(found.rows) == {("", "", "rows"): (4, 5)}
    assert _by(found.probabilities)["", "", "coefficient of a"] == pytest.approx((0.9, 1.0))
    other = likely.diff(one, likely.LogisticRegression().fit(x, ["p", "q", "p", "q"]))
    assert other.classes == (("p", "q"), ())
    assert other.probabilities == ()
    assert "model: LinearRegression -> LogisticRegression" in str(other)
