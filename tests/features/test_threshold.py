"""One cut: every figure of the worked examples, and the law of the hulls."""

from __future__ import annotations

import numpy as np
import pytest

from likely import LikelyError, Threshold

X = {"f": [-5.0, -3.1, -2.7, 0.0, 7.0, 7.1, 8.5, 9.0, 9.0, 13.7, 15.1, 20.1]}
Y = [sign == "+" for sign in "-+---++-+---"]
W = {"w": [130, 127, 111, 106, 103, 96, 90, 86, 85, 82, 81, 80, 79, 77, 73, 68, 67, 64, 61, 56]}
WY = [sign == "+" for sign in "++++-++-+--+-+--+---"]


def selected(model, name):
    """How many of the positive rows, and of the others, are called true."""
    high = model.table(name).lines[-1]
    return high["n True"], high["n False"], sum(line["bits"] for line in model.table(name).lines)


@pytest.mark.parametrize(
    ("table", "y", "method", "cut", "plus", "minus", "gain"),
    [
        (X, Y, "mean", 6.558333, 3, 5, 0.011580),
        (X, Y, "median", 7.8, 2, 4, 0.0),
        (X, Y, "gain", 11.35, 0, 3, 0.174989),
        (W, WY, "mean", 86.1, 6, 1, 0.214095),
        (W, WY, "median", 81.5, 7, 3, 0.118709),
        (W, WY, "gain", 104.5, 4, 0, 0.2365),
    ],
)
def test_worked_examples(table, y, method, cut, plus, minus, gain):
    model = Threshold(method).fit(table, y)
    (name,) = table
    assert model.thresholds_[name] == pytest.approx(cut, abs=5e-7)
    assert selected(model, name) == pytest.approx((plus, minus, gain), abs=5e-5 if method == "gain" else 5e-7)


def test_every_cut_of_the_twelve_rows():
    cuts = Threshold().fit(X, Y).candidates("f")
    places = [-4.05, -2.9, -1.35, 3.5, 7.05, 7.8, 8.75, 11.35, 14.4, 17.6]
    gains = [0.051441, 0.017220, 0, 0.011580, 0.042776, 0, 0.042776, 0.174989, 0.109170, 0.051441]
    assert [one["threshold"] for one in cuts] == pytest.approx(places)
    assert [one["gain"] for one in cuts] == pytest.approx(gains, abs=5e-7)
    hulls = {one["hull"]: [tuple(c["selected"]) for c in cuts if c["hull"] == one["hull"]] for one in cuts}
    assert hulls["upper"] == [(7, 4), (4, 3)]
    assert hulls["lower"] == [(7, 3), (3, 0)]
    left = Threshold().fit({"f": X["f"][:9]}, Y[:9]).candidates("f")
    inside = [0.102187, 0.002565, 0.018311, 0.091091, 0.229437, 0.072780, 0.002565]
    assert [one["gain"] for one in left] == pytest.approx(inside, abs=5e-7)


def test_the_best_cuts_of_the_weights():
    cuts = {one["threshold"]: one for one in Threshold().fit(W, WY).candidates("w")}
    best = sorted(cuts, key=lambda cut: -cuts[cut]["gain"])[:3]
    assert best == [104.5, 88.0, 83.5]
    assert [round(float(cuts[cut]["gain"]), 4) for cut in best] == [0.2365, 0.2141, 0.1912]
    # The corners of the upper hull are where the calibrated values of the weights change.
    assert [cut for cut in cuts if cuts[cut]["hull"] == "upper"] == [65.5, 75.0, 83.5, 88.0, 104.5]


@pytest.mark.parametrize("method", ["gain", "gini", "sqrt_gini"])
def test_the_best_cut_of_a_convex_score_is_a_corner_of_a_hull(method):
    rng = np.random.default_rng(5)
    for _ in range(40):
        x, y = rng.integers(0, 25, 60), rng.random(60) < 0.4
        model = Threshold(method).fit({"x": x}, y)
        cuts = model.candidates("x")
        best = max(one[method] for one in cuts)
        at = model.thresholds_["x"]
        assert next(one for one in cuts if one["threshold"] == at)[method] == pytest.approx(best)
        assert any(one["hull"] for one in cuts if one[method] > best - 1e-12)


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.8])
@pytest.mark.parametrize("costs", [(1, 1), (5, 1), (1, 4)])
def test_by_the_hull_is_the_cheapest_cut(rate, costs):
    """Of all cuts, either side called positive, none costs less, unless one answer for all rows does."""
    cheaper = 0
    rng = np.random.default_rng(6)
    for _ in range(20):
        x, y = rng.integers(0, 12, 50), rng.random(50) < 0.5
        model = Threshold("hull", base_rate=rate, costs=costs).fit({"x": x}, y)

        def cost(cut, x=x, y=y):
            high = x >= cut
            each = []
            for called in (high, ~high):
                false, missed = called[~y].mean(), (~called)[y].mean()
                each.append(costs[1] * rate * missed + costs[0] * (1 - rate) * false)
            return min(each)

        every = min(cost(cut) for cut in np.unique(x)[1:])
        if every < min(costs[1] * rate, costs[0] * (1 - rate)) - 1e-12:
            cheaper += 1
            assert cost(model.thresholds_["x"]) == pytest.approx(every)
        else:
            assert "one answer for all rows costs no more" in model.describe()
    assert cheaper > 0 or rate != 0.5 or costs != (1, 1)


def test_ordered_levels():
    sizes = {"size": ["S", "M", "L", "M", "S", "L", None]}
    kinds = {"size": ["S", "M", "L", "XL"]}
    model = Threshold(kinds=kinds).fit(sizes, [0, 1, 1, 1, 0, 1, 1])
    assert model.thresholds_ == {"size": "M"}
    out = model.transform(sizes)["size >= M"].tolist()
    assert out == [False, True, True, True, False, True, None]
    assert Threshold("median", kinds=kinds).fit(sizes).thresholds_ == {"size": "M"}
    assert "size (ordinal): as it is" in Threshold("mean", kinds=kinds).fit(sizes).describe()


def test_a_threshold_that_is_given():
    model = Threshold("median", at={"f": 10}).fit(X)
    assert model.thresholds_ == {"f": 10.0}
    assert model.transform(X)["f >= 10"].sum() == 3


def test_the_picture():
    ax = Threshold().fit(X, Y).plot()
    lines = [line.get_label() for line in ax.lines]
    assert lines.count("hull") == 2
    assert [text.get_text() for text in ax.texts] == ["mean", "median"]
    with pytest.raises(LikelyError, match="two classes"):
        Threshold("median").fit(X).plot()


def test_wrong_options():
    with pytest.raises(LikelyError, match="'hull'"):
        Threshold("best").fit(X, Y)
    for costs in ((-1, 1), (1, 1, 1), (0, 0), {(0, 1): 5}, ("a", "b"), None):
        with pytest.raises(LikelyError, match="costs"):
            Threshold("hull", costs=costs).fit(X, Y)
    for rate in (1.5, "half"):
        with pytest.raises(LikelyError, match="base_rate"):
            Threshold("hull", base_rate=rate).fit(X, Y)
    assert Threshold("hull", base_rate=np.float64(0.5), costs=np.array([1, 2])).fit(X, Y).describe()
    with pytest.raises(LikelyError, match="two classes"):
        Threshold("hull").fit(X, list("abcabcabcabc"))
    with pytest.raises(LikelyError, match="levels are"):
        Threshold("median", at={"s": "XS"}, kinds={"s": ["S", "M"]}).fit({"s": ["S", "M"]})
