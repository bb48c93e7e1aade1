"""Numbers in bins: every figure of the worked example, and the laws of the ways to cut."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.preprocessing import KBinsDiscretizer

from likely import Discretize, LikelyError
from likely.score import mutual_information_of

X = {"f": [-5.0, -3.1, -2.7, 0.0, 7.0, 7.1, 8.5, 9.0, 9.0, 13.7, 15.1, 20.1]}
Y = list("-+---++-+---")
RNG = np.random.default_rng(3)


def edges(*options, **named):
    return Discretize(*options, **named).fit(X, Y).edges_["f"].tolist()


@pytest.mark.parametrize(
    ("method", "bins", "cuts", "rows"),
    [
        ("equal_width", 3, [3.366667, 11.733333], [4, 5, 3]),
        ("equal_frequency", 3, [4.666667, 9.0], [4, 3, 5]),
        ("sd", 4, [-0.964572, 6.558333, 14.081238], [3, 1, 6, 2]),
        ("kmeans", 3, [3.5, 11.35], [4, 5, 3]),
        ("kmeans", 2, [3.5], [4, 8]),
    ],
)
def test_without_the_target(method, bins, cuts, rows):
    model = Discretize(method, bins).fit(X)
    assert model.edges_["f"] == pytest.approx(cuts, abs=5e-7)
    assert [line["rows"] for line in model.table().lines] == rows
    assert not model.supervised


@pytest.mark.parametrize(
    "criterion", ["gain", "gini", "sqrt_gini", lambda p: 1 - p.max(axis=0) ** 2 - p.min(axis=0) ** 2]
)
def test_the_plain_stop_gives_the_same_cuts_for_any_criterion(criterion):
    assert edges("recursive", criterion=criterion, stop="equal") == pytest.approx(
        [-4.05, -2.9, 7.05, 8.75, 11.35]
    )
    x, y = RNG.integers(0, 40, 300), RNG.integers(0, 3, 300)
    models = [
        Discretize("recursive", criterion=c, stop="equal").fit({"x": x}, y) for c in ("gain", criterion)
    ]
    assert models[0].edges_["x"].tolist() == models[1].edges_["x"].tolist()


def test_splits_in_the_order_of_the_source():
    splits = Discretize("recursive", stop="equal").fit(X, Y).splits("f")
    assert [one["cut"] for one in splits] == pytest.approx([11.35, 7.05, -2.9, -4.05, 8.75])
    assert [one["gain"] for one in splits] == pytest.approx([0.1750, 0.2294, 0.3219, 1.0, 0.3113], abs=5e-5)
    assert edges("recursive", 3, stop="equal") == pytest.approx([7.05, 11.35])


def test_the_description_length_accepts_no_cut_and_says_why():
    model = Discretize("recursive").fit(X, Y)
    (refused,) = model.splits("f")
    assert refused == pytest.approx(
        {"cut": 11.35, "gain": 0.174989, "needed": 0.534362, "made": False}, abs=5e-7
    )
    assert "at 11.35, gains 0.1750 bits and must gain more than 0.5344 (MDL)" in model.describe()
    assert model.table().lines[0]["rows"] == 12
    # The next cut would be priced by the rows on its side.
    left = {"f": X["f"][:9]}
    (refused,) = Discretize("recursive").fit(left, Y[:9]).splits("f")
    assert refused["needed"] == pytest.approx(0.765735, abs=5e-7)


def test_chi_merge():
    assert edges("chi_merge", p=0.10) == pytest.approx([7.05, 11.35])
    assert edges("chi_merge", p=0.05) == []
    assert "below 3.8415" in Discretize("chi_merge").fit(X, Y).describe()


def test_more_classes_and_a_limit():
    x = np.concatenate([RNG.normal(m, 1, 200) for m in (0, 6, 12)])
    y = np.repeat(["a", "b", "c"], 200)
    for method in ("optimal", "recursive", "chi_merge"):
        cuts = Discretize(method, None if method != "chi_merge" else 3).fit({"x": x}, y).edges_["x"]
        assert any(2 < cut < 4 for cut in cuts)
        assert any(8 < cut < 10 for cut in cuts)
    assert len(Discretize("optimal", 2).fit({"x": x}, y).edges_["x"]) == 1
    assert len(Discretize("recursive", 2).fit({"x": x}, y).edges_["x"]) == 1


def test_noise_is_not_cut():
    """2000 rows of noise: MODL and MDL keep one bin in nearly all of such columns; here in all of five."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        noise = {"x": rng.normal(size=2000)}
        y = rng.integers(0, 2, 2000)
        assert len(Discretize("optimal").fit(noise, y).edges_["x"]) == 0
        assert len(Discretize("recursive").fit(noise, y).edges_["x"]) == 0


def test_equal_bins_are_those_of_scikit_learn():
    x = RNG.gamma(2, size=(500, 2)).round(1)
    for method, strategy in (("equal_width", "uniform"), ("equal_frequency", "quantile")):
        peer = KBinsDiscretizer(7, encode="ordinal", strategy=strategy)
        if "quantile_method" in peer.get_params():  # from scikit-learn 1.7 on; before, there was no other
            peer.set_params(quantile_method="linear")
        peer.fit(x)
        ours = Discretize(method, 7).fit(x)
        for j in range(2):
            assert ours.edges_[f"x{j}"] == pytest.approx(peer.bin_edges_[j][1:-1], rel=1e-12)
        assert (ours.transform(x) == peer.transform(x)).all()


def test_the_bits_of_the_bins_are_the_mutual_information():
    x = RNG.normal(size=400)
    y = np.where(x + RNG.normal(size=400) > 0, "high", "low")
    model = Discretize("equal_frequency", 4).fit({"x": x}, y)
    told = float(mutual_information_of(y, model.transform({"x": x})["x"]))
    assert sum(line["bits"] for line in model.table().lines) == pytest.approx(told, rel=1e-9)


def test_monotone_bins():
    x = RNG.uniform(0, 10, 3000)
    y = RNG.random(3000) < np.where(x < 3, 0.2, np.where(x < 6, 0.7, 0.5))
    free = Discretize().fit({"x": x}, y)
    bound = Discretize(monotone=True).fit({"x": x}, y)
    rates = [line["P(True)"] for line in bound.table().lines]
    assert rates == sorted(rates)
    assert set(bound.edges_["x"]) < set(free.edges_["x"])
    falls = Discretize(monotone=True).fit({"x": -x}, y)
    rates = [line["P(True)"] for line in falls.table().lines]
    assert rates == sorted(rates, reverse=True)
    with pytest.raises(LikelyError, match="two classes"):
        Discretize("equal_width", monotone=True).fit({"x": [1, 2, 3]}, ["a", "b", "c"])


def test_dates_are_cut_and_named_as_dates():
    days = np.array(["2020-01-01", "2020-01-02", "2021-06-01", "2021-06-03"], "datetime64[D]")
    model = Discretize("kmeans", 2).fit({"day": days})
    assert model.transform({"day": days})["day"].tolist()[0].startswith("< 2020-")
    assert "day" in model.to_sql()  # which tests/features/test_every_transformer.py runs


def test_durations_have_no_sql():
    passed = np.array([1, 2, 50, 60], "timedelta64[s]")
    with pytest.raises(LikelyError, match="'passed' holds"):
        Discretize("kmeans", 2).fit({"passed": passed}).to_sql()


def test_the_picture_has_the_chords_of_the_bins():
    ax = Discretize("chi_merge", p=0.1).fit(X, Y).plot()
    curve, chords = ({line.get_label(): line for line in ax.lines}[name] for name in ("values", "bins"))
    assert list(zip(*chords.get_data(), strict=True)) == [(0, 0), (0, 3), (3, 4), (4, 8)]
    assert len(curve.get_data()[0]) == 12
    assert len(Discretize("equal_width", 3).fit(X).plot("f").patches) == 3


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"method": "best"}, "'optimal'"),
        ({"bins": 0}, "1 or more"),
        ({"p": 2.0}, "between 0 and 1"),
        ({"criterion": "luck"}, "'gini'"),
        ({"stop": "late"}, "'mdl'"),
        ({"columns": ["g"]}, "'g', which the table does not have"),
    ],
)
def test_wrong_options(options, says):
    with pytest.raises(LikelyError, match=says):
        Discretize(**options).fit(X, Y)


def test_unordered_and_codes():
    import pandas as pd

    frame = pd.DataFrame(X)
    assert Discretize("equal_width", 3).fit_transform(frame)["f"].cat.ordered
    assert not Discretize("equal_width", 3, ordered=False).fit_transform(frame)["f"].cat.ordered
    codes = Discretize("equal_width", 3, encode="codes").fit_transform(frame)["f"]
    assert codes.tolist() == [0] * 4 + [1] * 5 + [2] * 3


def test_only_some_columns():
    table = {"a": [1.0, 2.0, 3.0], "b": [1.0, 2.0, 3.0], "c": ["x", "y", "z"]}
    out = Discretize("equal_width", 2, columns=["b"]).fit_transform(table)
    assert out["a"] == [1.0, 2.0, 3.0]
    assert out["b"].tolist() == ["< 2", ">= 2", ">= 2"]
    with pytest.raises(LikelyError, match="'c' is categorical"):
        Discretize("equal_width", columns=["c"]).fit(table)
