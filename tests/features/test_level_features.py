"""Levels: fewer, in order, or one column each."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2_contingency

from likely import Binarize, GroupLevels, LikelyError, Order
from likely.infer.chi_merge import chi_merge_any

RNG = np.random.default_rng(9)


def test_rare_levels_are_one_and_so_is_what_comes_later():
    table = {"town": ["a"] * 6 + ["b"] * 3 + ["c", "d"]}
    model = GroupLevels(least=2).fit(table)
    assert model.transform({"town": ["a", "b", "c", "z", None]})["town"].tolist() == [
        "a",
        "b",
        "other",
        "other",
        None,
    ]
    assert "2 levels with fewer than 2 rows" in model.describe()
    share = GroupLevels(least=0.3).fit(table)
    assert set(share.transform(table)["town"]) == {"a", "other"}
    assert not model.supervised


def plainly(counts, threshold, most):
    """Every pair anew each time, by SciPy."""
    groups = [[i] for i in range(counts.shape[1])]
    while len(groups) > 1:
        best = None
        for i in range(len(groups)):
            for j in range(i + 1, len(groups)):
                two = np.stack([counts[:, groups[i]].sum(axis=1), counts[:, groups[j]].sum(axis=1)], axis=1)
                two = two[two.sum(axis=1) > 0]
                value = chi2_contingency(two, correction=False).statistic if len(two) > 1 else 0.0
                if best is None or value < best[0] - 1e-12:
                    best = value, i, j
        if best[0] >= threshold and (most is None or len(groups) <= most):
            break
        groups[best[1]] += groups.pop(best[2])
    return sorted(sorted(group) for group in groups)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("most", [None, 2])
def test_levels_that_look_alike_are_joined_as_all_pairs_say(classes, most):
    for _ in range(15):
        counts = RNG.integers(1, 12, (classes, 7)).astype(float)
        ours = chi_merge_any(counts, 4.0, most)
        groups = sorted(np.flatnonzero(ours == g).tolist() for g in range(ours.max() + 1))
        assert groups == plainly(counts, 4.0, most)


def test_grouping_keeps_what_tells():
    rate = {"a": 0.1, "b": 0.1, "c": 0.8, "d": 0.8, "e": 0.45}
    level = RNG.choice(list(rate), 3000)
    y = RNG.random(3000) < pd.Series(level).map(rate)
    out = GroupLevels("chi_merge").fit({"l": level}, y).transform({"l": list("abcde")})["l"]
    assert out[0] == out[1] == "a or b"
    assert out[2] == out[3] == "c or d"
    assert out[4] == "e"


def test_orders():
    days = {
        "sky": ["sun", "rain", "sun", "cloud", "rain", None],
        "fair": [True, False, True, True, True, False],
    }
    swim = [1, 0, 1, 1, 0, 0]
    assert Order().fit(days, swim).orders_ == {"sky": ["rain", "cloud", "sun"], "fair": [False, True]}
    assert Order("frequency", columns=["sky"]).fit(days).orders_ == {"sky": ["cloud", "rain", "sun"]}
    listed = Order({"sky": ["sun", "cloud", "rain"]}).fit(days)
    assert listed.orders_ == {"sky": ["sun", "cloud", "rain"]}
    assert listed.deductive
    out = listed.transform(pd.DataFrame({"sky": days["sky"], "fair": days["fair"]}))
    assert out["sky"].cat.ordered
    assert out["sky"].cat.categories.tolist() == ["sun", "cloud", "rain"]
    with pytest.raises(LikelyError, match="lacks 'rain'"):
        Order({"sky": ["sun", "cloud"]}).fit(days)
    with pytest.raises(LikelyError, match="two classes"):
        Order().fit(days, list("abcabc"))


def test_taking_the_order_away():
    sizes = pd.DataFrame({"size": pd.Categorical(["S", "L"], ["S", "M", "L"], ordered=True)})
    out = Order("none").fit_transform(sizes)
    assert not out["size"].cat.ordered
    assert out["size"].tolist() == ["S", "L"]
    assert "deductive" in Order("none").fit(sizes).describe()


def test_one_column_a_level_and_back():
    table = {"sky": ["sun", "rain", None, "cloud"], "x": [1.0, 2.0, 3.0, 4.0]}
    model = Binarize().fit(table)
    out = model.transform(table)
    assert list(out) == ["sky=cloud", "sky=rain", "sky=sun", "x"]
    assert out["sky=rain"].tolist() == [False, True, None, False]
    assert model.transform({"sky": ["hail"], "x": [0.0]})["sky=sun"].tolist() == [False]
    for drop in (False, True):
        one = Binarize(drop_first=drop).fit(table)
        assert one.inverse_transform(one.transform(table))["sky"].tolist() == table["sky"]
    assert list(Binarize(drop_first=True).fit(table).transform(table)) == ["sky=rain", "sky=sun", "x"]
    dummies = pd.get_dummies(pd.Series(["sun", "rain", "cloud"]))
    ours = Binarize().fit_transform({"sky": ["sun", "rain", "cloud"]})
    assert [ours[f"sky={name}"].tolist() for name in dummies] == [dummies[name].tolist() for name in dummies]


def test_many_levels():
    level = RNG.integers(0, 2000, 20_000).astype(str)
    y = RNG.random(20_000) < 0.3
    model = GroupLevels("chi_merge", kinds="categorical").fit({"l": level}, y)
    assert "most frequent" in model.describe()
    assert len(model.table().lines) < 300


@pytest.mark.parametrize(
    ("model", "says"),
    [
        (GroupLevels("best"), "'rare'"),
        (GroupLevels(least=-1), "number of rows"),
        (GroupLevels("chi_merge", p=0), "between 0 and 1"),
        (Order("luck"), "'frequency'"),
    ],
)
def test_wrong_options(model, says):
    with pytest.raises(LikelyError, match=says):
        model.fit({"c": ["a", "b"]}, [0, 1])
