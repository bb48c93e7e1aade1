"""Weights of rows that teach how to fill gaps: twice the weight is the row twice, none is no row."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import likely

RNG = np.random.default_rng(11)
N = 160
CLASS = RNG.integers(0, 2, N)
TABLE = pd.DataFrame(
    {
        "height": RNG.normal(160 + 30 * CLASS, 5),
        "weight": RNG.normal(60 + 30 * CLASS, 6),
        "colour": pd.Categorical(np.array(["blue", "green", "red"])[(CLASS + (RNG.random(N) < 0.3)) % 3]),
        "member": RNG.random(N) < 0.2 + 0.6 * CLASS,
    }
)
TABLE["weight"] += 0.5 * (TABLE["height"] - 160 - 30 * CLASS)
for name in ("height", "weight", "colour"):
    TABLE.loc[RNG.random(N) < 0.15, name] = None
Y = np.array(["no", "yes"])[CLASS]
WEIGHT = RNG.integers(1, 4, N)
TWICE = np.repeat(np.arange(N), WEIGHT)
MODELS = {
    "gaussian": likely.Impute("gaussian"),
    "mixture": likely.Impute(components=2, random_state=0),
    "a mixture of one's own": likely.Impute(likely.Mixture(2, covariance="diagonal", random_state=1)),
    "class means": likely.Impute("class"),
    "class medians": likely.Impute("class", statistic="median"),
    "models": likely.Impute("model"),
    "other models": likely.Impute("model", classifier=likely.NaiveBayes(evidence_weights=None)),
    "indicator": likely.Impute("class", indicator=True),
}


def same(mine, theirs):
    """Known cells and levels to the last bit; EM and rounds stop when little changes."""
    pd.testing.assert_frame_equal(mine, theirs, check_exact=False, rtol=1e-4, atol=0)


def again(name):
    return clone(MODELS[name])


@pytest.mark.parametrize("name", MODELS)
def test_twice_the_weight_is_the_row_twice(name):
    weighed = again(name).fit(TABLE, Y, sample_weight=WEIGHT)
    repeated = again(name).fit(TABLE.iloc[TWICE], Y[TWICE])
    assert weighed.record_.n == repeated.record_.n == WEIGHT.sum()
    if not weighed.supervised:  # else naive Bayes weighs evidence by folds of the rows
        same(weighed.transform(TABLE), repeated.transform(TABLE))
    assert not weighed.transform(TABLE).equals(again(name).fit(TABLE, Y).transform(TABLE))
    whole = again(name).fit_transform(TABLE.iloc[TWICE], Y[TWICE])
    first = np.cumsum(WEIGHT) - WEIGHT
    filled = again(name).fit_transform(TABLE, Y, sample_weight=WEIGHT)
    same(filled, whole.iloc[first])


@pytest.mark.parametrize("name", MODELS)
def test_a_row_without_weight_is_as_if_it_were_not_there(name):
    odd = pd.DataFrame(
        {"height": [1e6, None], "weight": [-1e6, 7.0], "colour": ["pink", None], "member": [None, True]}
    )
    both = pd.concat([odd.iloc[:1], TABLE.astype({"colour": object}), odd.iloc[1:]], ignore_index=True)
    classes, weight = ["never", *Y, "no"], np.r_[0.0, np.ones(N), 0.0]
    without = again(name).fit(TABLE.astype({"colour": object}), Y, sample_weight=np.ones(N))
    model = again(name)
    filled = model.fit_transform(both, classes, sample_weight=weight)
    same(model.transform(both), without.transform(both))
    by_class = model.supervised
    wanted = (
        again(name).fit_transform(TABLE.astype({"colour": object}), Y)
        if by_class
        else without.transform(TABLE)
    )
    same(filled.iloc[1:-1].reset_index(drop=True)[["height", "weight"]], wanted[["height", "weight"]])
    same(filled.iloc[[0, -1]], without.transform(both).iloc[[0, -1]])  # by what is probable of a new row


def test_means_medians_and_modes_of_a_class_by_weight():
    table = {"x": [60.0, 70.0, None, 100.0, 110.0], "c": ["a", "b", None, "a", "b"]}
    y, weight = ["-", "-", "-", "+", "+"], [1, 3, 1, 1, 3]
    filled = likely.Impute("class").fit_transform(table, y, weight)
    assert filled["x"][2] == pytest.approx((60 + 3 * 70) / 4)
    assert filled["c"][2] == "b"
    assert likely.Impute("class").fit_transform(table, y, [3, 1, 1, 1, 1])["c"][2] == "a"
    median = likely.Impute("class", statistic="median").fit_transform(table, y, weight)
    assert median["x"][2] == np.median([60, 70, 70, 70])


def test_pieces_with_weights_are_the_whole():
    def part(rows):
        return TABLE.iloc[rows], Y[rows], WEIGHT[rows]

    whole = again("class means").fit(TABLE, Y, WEIGHT)
    pieces = again("class means").partial_fit(*part(slice(0, 70))).partial_fit(*part(slice(70, N)))
    for name in TABLE:
        assert pieces.record_.told(name) == pytest.approx(whole.record_.told(name), abs=1e-9)
    assert pieces.record_.n == whole.record_.n == WEIGHT.sum()


def test_weights_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="at least one non-zero"):
        likely.Impute("class").fit(TABLE, Y, np.zeros(N))
    with pytest.raises(ValueError, match="egative"):
        likely.Impute("model").fit(TABLE, sample_weight=-np.ones(N))
