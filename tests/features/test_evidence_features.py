"""Weight of evidence: worked figures, laws with naive Bayes, and folds that do not deceive."""

from __future__ import annotations

import os
from math import log
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit, logit
from scipy.stats import norm
from sklearn.model_selection import PredefinedSplit

from likely import Evidence, GaussianClassifier, LikelyError, NaiveBayes
from likely.calibrate import isotonic

X = {"f": [-5.0, -3.1, -2.7, 0.0, 7.0, 7.1, 8.5, 9.0, 9.0, 13.7, 15.1, 20.1]}
Y = [sign == "+" for sign in "-+---++-+---"]
W = {"w": [130, 127, 111, 106, 103, 96, 90, 86, 85, 82, 81, 80, 79, 77, 73, 68, 67, 64, 61, 56]}
WY = np.array([sign == "+" for sign in "++++-++-+--+-+--+---"])
RNG = np.random.default_rng(8)


@pytest.mark.parametrize(
    ("smoothing", "obese", "other", "unseen"),
    [
        ("plain", 48 / 65, 8 / 17, 1 / 2),
        ("printed", 16 / 19, 96 / 151, 48 / 49),
        ("neutral", 2448 / 3377, 408 / 865, 1 / 2),
    ],
)
def test_levels_of_the_worked_example(smoothing, obese, other, unseen):
    """1 of 18 and 1 of 55, where the odds over all are 1/48."""
    table = {"obese": ["yes"] * 18 + ["no"] * 55}
    ill = [True] + [False] * 17 + [True] + [False] * 54
    rates = {True: 1 / 49, False: 48 / 49}
    model = Evidence(smoothing=smoothing, space="probability", base_rate=rates).fit(table, ill)
    out = model.transform({"obese": ["yes", "no", "perhaps"]})["obese"]
    assert out == pytest.approx([obese, other, unseen], rel=1e-12)


def test_isotonic_weights():
    model = Evidence("isotonic", smoothing="printed").fit(W, WY)
    wanted = [log(5)] * 4 + [log(1.5)] * 3 + [0.0] * 2 + [log(0.75)] * 5 + [log(2 / 3)] * 3 + [-log(4)] * 3
    assert model.transform(W)["w"] == pytest.approx(wanted, abs=1e-12)
    probability = Evidence("isotonic", smoothing="printed", space="probability").fit(W, WY).transform(W)["w"]
    assert probability == pytest.approx(isotonic(WY, W["w"])(W["w"], base_rate=0.5))


@pytest.mark.parametrize(
    ("smoothing", "values"), [("printed", (2 / 3, 8 / 13, 1 / 3)), ("plain", (2 / 3, 3 / 5, 0.0))]
)
def test_the_direction_is_that_of_the_column(smoothing, values):
    model = Evidence("isotonic", smoothing=smoothing, space="probability").fit(X, Y)
    out = model.transform({"f": [-3.1, -2.7, 9.0, 13.7]})["f"]
    assert out == pytest.approx([values[0], values[1], values[1], values[2]], abs=1e-12)
    assert "falls" in model.describe()
    turned = Evidence("isotonic", smoothing=smoothing, space="probability").fit(
        {"f": [-x for x in X["f"]]}, Y
    )
    assert turned.transform({"f": [3.1, 2.7, -9.0, -13.7]})["f"] == pytest.approx(out)


def test_logistic_weights_and_back():
    model = Evidence("logistic").fit(W, WY)
    told = model.transform({"w": [130, 100, 80, 56]})
    assert told["w"] == pytest.approx([3.278271, 1.037995, -0.455523, -2.247744], abs=5e-7)
    share = Evidence("logistic", space="probability").fit(W, WY)
    assert share.transform({"w": [130, 100, 80, 56]})["w"] == pytest.approx(
        [0.963676, 0.738463, 0.388048, 0.095544], abs=5e-7
    )
    for one in (model, share):
        assert one.inverse_transform(one.transform(W))["w"] == pytest.approx(W["w"], rel=1e-12)
    assert "middle 86.1, sd within classes 17.0074, d-prime 1.27" in model.describe()
    with pytest.raises(LikelyError, match="has an inverse"):
        Evidence().fit(W, WY).inverse_transform(W)


def test_two_unit_gaussians_have_the_line_between_them():
    """Exact moments: (2, 2) and (4, 4) with variance 1 in either column."""
    table = {"a": [1.0, 3, 3, 5], "b": [1.0, 3, 3, 5]}
    told = Evidence("logistic").fit(table, [0, 0, 1, 1]).transform({"a": [2.0, 3.5], "b": [4.0, 3.0]})
    assert told["a"] == pytest.approx([-2.0, 1.0])
    assert told["a"] + told["b"] == pytest.approx([0.0, 1.0])  # 2 (x1 + x2 - 6)


def test_three_features_are_not_linear_in_probabilities():
    assert expit([2.0, -1.0, -1.0]).sum() == pytest.approx(1.418680, abs=5e-7)
    assert expit([1.3, -1.3]).sum() == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("prime", "height", "place"),
    [(0.5, 3.2058, 0.5356), (1, 1.7928, 0.7185), (1.4, 2.2705, 0.9365), (1.8, 5.7495, 0.9919)],
)
def test_the_density_of_a_calibrated_feature(prime, height, place):
    """Log-odds of a feature of this d-prime are Normal(d'^2 / 2, d'^2) among the positive rows."""
    c = np.linspace(0.3, 0.9999, 200_001)
    density = norm.pdf(logit(c), prime**2 / 2, prime) / (c * (1 - c))
    assert density.max() == pytest.approx(height, abs=5e-5)
    assert c[density.argmax()] == pytest.approx(place, abs=5e-5)
    rows = np.concatenate([norm.ppf((np.arange(4000) + 0.5) / 4000, m) for m in (0, prime)])
    y = np.repeat([False, True], 4000)
    told = Evidence("logistic").fit({"x": rows}, y).transform({"x": rows})["x"][y]
    assert (told.mean(), told.std()) == pytest.approx((prime**2 / 2, prime), rel=2e-3)


def tables(classes):
    """Rows of three levels and two numbers, with gaps."""
    n = 500
    y = RNG.integers(0, classes, n)
    gaps = RNG.random((n, 3)) < 0.1
    level = np.array(["a", "b", "c", "d"], object)[(y + RNG.integers(0, 3, n)) % 4]
    level = np.where(RNG.random(n) < 0.3, RNG.choice(np.array(["a", "b", "c", "d"], object), n), level)
    level[gaps[:, 0]] = None
    other = np.array(["u", "v"], object)[(RNG.random(n) < 0.3 + 0.1 * y).astype(int)]
    return {"level": level, "other": other}, {"x": RNG.normal(y, 1.5), "z": RNG.gamma(2 + y)}, y


@pytest.mark.parametrize("classes", [2, 3])
def test_sums_of_plain_levels_are_naive_bayes(classes):
    levels, _, y = tables(classes)
    told = pd.DataFrame(Evidence(smoothing="plain", missing="neutral").fit(levels, y).transform(levels))
    log_joint = summed(told, y, classes)
    theirs = NaiveBayes(prior=None).fit(levels, y).predict_log_proba(levels)
    assert np.abs(normalised(log_joint) - theirs).max() <= 1e-12


@pytest.mark.parametrize("classes", [2, 3])
def test_sums_of_logistic_numbers_are_naive_bayes_with_one_variance(classes):
    _, numbers, y = tables(classes)
    told = pd.DataFrame(Evidence("logistic").fit(numbers, y).transform(numbers))
    theirs = (
        GaussianClassifier(covariance="tied_diagonal", prior=None).fit(numbers, y).predict_log_proba(numbers)
    )
    assert np.abs(normalised(summed(told, y, classes)) - theirs).max() <= 1e-12 * np.abs(theirs).max()


def summed(told, y, classes):
    """Log P(class and row) but for what all classes share."""
    base = np.log(np.bincount(y) / len(y))
    if classes == 2:
        total = told.to_numpy().sum(axis=1)
        return np.stack([np.zeros_like(total), total], axis=1) + base
    return (
        np.stack(
            [told[[c for c in told if c.endswith(f": {k}")]].sum(axis=1) for k in range(classes)], axis=1
        )
        + base
    )


def normalised(log_joint):
    top = log_joint.max(axis=1, keepdims=True)
    return log_joint - top - np.log(np.exp(log_joint - top).sum(axis=1, keepdims=True))


def test_neutral_levels_are_naive_bayes_with_imagined_rows_of_the_base_rate():
    levels, _, y = tables(2)
    model = Evidence(smoothing="neutral").fit(levels, y)
    known = np.array([v is not None for v in levels["level"]])
    rates = np.bincount(y[known]) / known.sum()
    for level in "abcd":
        seen = [np.sum((levels["level"] == level) & (y == k)) for k in (0, 1)]
        like = [(seen[k] + 2 * rates[k]) / (np.sum(known & (y == k)) + 8 * rates[k]) for k in (0, 1)]
        told = model.transform({"level": [level], "other": ["u"]})["level"]
        assert told == pytest.approx([log(like[1] / like[0])], abs=1e-12)


def test_hierarchical_levels_are_drawn_as_far_as_their_counts_suggest():
    """Of 20 rows at a rate of 1/4 log-odds vary by sd .516 by chance. Where levels are alike, less than half
    of it is left unless they vary twice as much as chance lets them, which is 10 sds of that estimate off.
    Means of rates from Beta(2, 6) given 20 rows have sd .122, about .65 in log-odds; the sd of 200 of them,
    and of how far they are drawn, is a tenth of it: .4 is nearly 4 sds below."""
    levels = np.repeat(np.arange(200), 20).astype(str)
    rate = RNG.beta(2, 6, 200).repeat(20)
    alike, apart = RNG.random(4000) < 0.25, RNG.random(4000) < rate
    spread = []
    for y in (alike, apart):
        told = Evidence(kinds="categorical").fit({"l": levels}, y).transform({"l": levels})["l"]
        spread.append(float(np.std(told)))
    assert spread[0] < 0.258
    assert spread[1] > 0.4


def test_the_average_predicts_and_noise_says_nothing():
    x = RNG.uniform(-3, 3, 4000)
    truth = np.where(np.abs(x) < 1, 1.5, -0.5)
    y = RNG.random(4000) < expit(truth)
    model = Evidence().fit({"x": x}, y)
    new = np.array([-2.0, 0.0, 2.0])
    told = model.transform({"x": new})["x"] + logit(y.mean())
    assert told == pytest.approx([-0.5, 1.5, -0.5], abs=0.25)
    noise = Evidence().fit({"x": RNG.normal(size=4000)}, y).transform({"x": RNG.normal(size=500)})["x"]
    assert np.abs(noise).mean() < 0.05


def test_fit_transform_is_out_of_fold():
    """Levels of one row each say everything about the rows they were learnt from, and nothing in truth."""
    names = np.arange(400).astype(str)
    y = RNG.integers(0, 2, 400)
    deceived = Evidence(smoothing="neutral").fit({"id": names}, y)
    seen = deceived.transform({"id": names})["id"]
    assert np.mean((seen > 0) == y) == 1.0
    honest = Evidence(smoothing="neutral").fit_transform({"id": names}, y)["id"]
    assert np.abs(honest).max() < 1e-9


def test_folds_are_what_fitting_to_the_others_gives():
    levels, numbers, y = tables(2)
    table = levels | numbers
    for method in ("average", "isotonic", "logistic"):
        model = Evidence(method, cv=4)
        out = model.fit_transform(table, y)
        from likely.infer.folds import stratified

        fold = stratified(y, 4, np.random.default_rng(0))
        for f in range(4):
            rest, mine = fold != f, fold == f
            alone = Evidence(method).fit({k: v[rest] for k, v in table.items()}, y[rest])
            expected = alone.transform({k: v[mine] for k, v in table.items()})
            for name in table:
                assert out[name][mine] == pytest.approx(expected[name], rel=1e-8, abs=1e-9, nan_ok=True)
        whole = Evidence(method).fit(table, y).transform(table)
        for name in table:
            assert model.transform(table)[name] == pytest.approx(
                whole[name], rel=1e-9, abs=1e-10, nan_ok=True
            )


@pytest.mark.parametrize("classes", [2, 3])
def test_ranks_are_the_bits_that_held_out_rows_save(classes):
    levels, numbers, y = tables(classes)
    table = levels | numbers
    ranking = Evidence().rank(table, y)
    told = Evidence(missing="neutral").fit_transform(table, y)
    base = np.bincount(y) / len(y)
    assert ranking.bits == pytest.approx(-(base * np.log2(base)).sum())
    for one in ranking.columns:
        mine = pd.DataFrame({name: v for name, v in told.items() if name.split(":")[0] == one.column})
        log_p = normalised(summed(mine, y, classes))[np.arange(len(y)), y]
        assert one.bits == pytest.approx(np.mean(log_p - np.log(base[y])) / np.log(2))
    assert [one.bits for one in ranking.columns] == sorted(
        (one.bits for one in ranking.columns), reverse=True
    )
    assert "on held-out rows" in str(ranking)
    assert len(ranking.to_frame("dict")["bits"]) == 4


def test_missing_cells():
    table = {"x": [1.0, 2.0, None, None, 5.0, None], "c": ["a", None, "b", "b", "a", None]}
    y = [0, 0, 1, 1, 0, 1]
    keep = Evidence().fit(table, y).transform(table)
    assert np.isnan(keep["x"]).tolist() == [False, False, True, True, False, True]
    assert np.isnan(keep["c"]).tolist() == [False, True, False, False, False, True]
    neutral = Evidence(missing="neutral").fit(table, y).transform(table)
    assert neutral["x"][2] == 0
    level = Evidence(missing="level", smoothing="neutral").fit(table, y).transform(table)
    assert level["x"][2] == pytest.approx(log((3 + 1) / (0 + 1)))


def test_more_classes_have_a_column_each():
    levels, numbers, y = tables(3)
    for method in ("average", "isotonic", "logistic"):
        model = Evidence(method).fit(numbers, y)
        assert model.get_feature_names_out().tolist() == ["x: 0", "x: 1", "x: 2", "z: 0", "z: 1", "z: 2"]
        shares = pd.DataFrame(Evidence(method, space="probability").fit(numbers, y).transform(numbers))
        assert shares[["x: 0", "x: 1", "x: 2"]].sum(axis=1).to_numpy() == pytest.approx(np.ones(len(y)))
    assert "evidence 2" in str(Evidence().fit(levels, y).table())


def test_ordered_levels_keep_their_order():
    size = np.array(["S", "M", "L"])[RNG.integers(0, 3, 600)]
    y = RNG.random(600) < pd.Series(size).map({"S": 0.2, "M": 0.4, "L": 0.7})
    model = Evidence("isotonic", kinds={"s": ["S", "M", "L", "XL"]}).fit({"s": size}, y)
    told = model.transform({"s": ["S", "M", "L", "XL"]})["s"]
    assert told[0] < told[1] < told[2] == told[3]


def test_the_picture_and_the_table():
    model = Evidence().fit(W, WY)
    assert model.plot().get_ylabel() == "evidence in nats"
    assert {"becomes", "bits", "low", "high"} <= set(model.table().heads)
    assert (
        Evidence().fit({"c": ["a", "b", "a", "b"]}, [0, 1, 0, 0]).plot("c").get_xticklabels()[1].get_text()
        == "b"
    )


def test_a_hundred_thousand_levels():
    names = np.arange(100_000).astype(str)
    y = RNG.integers(0, 2, 100_000)
    told = Evidence(kinds="categorical").fit({"id": names}, y).transform({"id": names[:5]})["id"]
    assert np.isfinite(told).all()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"method": "best"}, "'average'"),
        ({"smoothing": "much"}, "'neutral'"),
        ({"space": "time"}, "'log-odds'"),
        ({"missing": "drop"}, "'keep'"),
        ({"cv": 1}, "2 or more"),
        ({"base_rate": {True: 0.3}}, "each of the classes"),
        ({"base_rate": {True: 0.3, False: 0.3}}, "add up to 1"),
    ],
)
def test_wrong_options(options, says):
    with pytest.raises(LikelyError, match=says):
        Evidence(**options).fit(W, WY)


DATA = Path(os.environ.get("LIKELY_DATA", Path(__file__).parents[3] / "shared" / "data"))


@pytest.mark.long
@pytest.mark.skipif(not (DATA / "pima_diabetes.csv").exists(), reason="no real data: set LIKELY_DATA")
def test_averaging_predicts_better_than_the_best_description():
    """On held-out rows of the numbers of a real table, in the mean over its columns."""
    import likely

    table = likely.read(DATA / "pima_diabetes.csv", into="pandas")
    y = table.pop("class").to_numpy() == "tested_positive"
    fold = np.arange(len(y)) % 5
    lost = {"average": [], "bins": []}
    for name in table:
        for way in lost:
            p = np.empty(len(y))
            for f in range(5):
                rest, mine = fold != f, fold == f
                if way == "average":
                    model = Evidence().fit({"x": table[name][rest]}, y[rest])
                    p[mine] = expit(model.transform({"x": table[name][mine]})["x"] + logit(y[rest].mean()))
                else:
                    bins = likely.Discretize(encode="codes").fit({"x": table[name][rest]}, y[rest])
                    rates = np.array([line["P(True)"] for line in bins.table().lines])
                    p[mine] = rates[bins.transform({"x": table[name][mine]})["x"].astype(int)]
            lost[way].append(-np.mean(np.log(np.where(y, p, 1 - p))))
    assert np.mean(lost["average"]) < np.mean(lost["bins"])


def test_levels_that_differ_by_no_more_than_chance_are_said_to_be_alike():
    alike = Evidence(smoothing="hierarchical").fit({"c": ["u", "v"] * 100}, [False, False, True, True] * 50)
    said = str(alike.describe())
    assert "hardly differ by more than chance" in said
    assert "e+" not in said
    apart = Evidence(smoothing="hierarchical").fit({"c": ["u"] * 30 + ["v"] * 30}, [True] * 20 + [False] * 40)
    assert "rows of the base rate added to each" in str(apart.describe())


@pytest.mark.parametrize("method", ["average", "isotonic", "logistic"])
def test_ordered_levels_that_fold_by_fold_lie_in_other_cells(method):
    """A hull joins other levels in each fold, and a rare level is not in each: rows get their own fold's."""
    rng = np.random.default_rng(5)
    sizes = ["XS", "S", "M", "L", "XL"]
    codes = np.minimum(rng.integers(0, 5, 80), 3)
    codes[7] = 4  # one row alone
    table = pd.DataFrame({"size": pd.Categorical.from_codes(codes, sizes, ordered=True)})
    y = rng.random(80) < 0.3 + 0.1 * codes
    fold = np.arange(80) % 4
    ours = Evidence(method, cv=PredefinedSplit(fold)).fit_transform(table, y)
    for f in range(4):
        test = fold == f
        theirs = Evidence(method).fit(table[~test], y[~test]).transform(table[test])
        assert ours["size"][test].to_numpy() == pytest.approx(
            theirs["size"].to_numpy(), rel=1e-12, nan_ok=True
        )


def test_of_a_column_without_any_value_no_rate_is_told():
    """It said 0, as of a class that is never seen."""
    table = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "gone": np.nan})
    told = Evidence().fit(table, [0, 1, 0, 1]).table("gone")
    (line,) = told.lines
    assert np.isnan(line["P(1)"])
    assert (line["rows"], line["evidence"], line["bits"], line["becomes"]) == (0, 0, 0, 0)
    assert "nan" not in str(told)
    assert told.to_dict()["cells"][0]["P(1)"] is None


def test_a_level_of_one_row_says_no_more_than_a_row_can():
    """Where each level is pure by chance, a single row said 129 to 1."""
    x, y = list("aaaaaabbbccd"), [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
    told = Evidence().fit({"x": x}, y).transform({"x": ["d", "a", "unseen"]})["x"]
    assert told[0] == pytest.approx(-log(3))  # one row of its own, and one of the base rate
    assert told[1] == pytest.approx(log(13))
    assert told[2] == 0


def test_what_tells_nothing_says_nothing():
    """By folds a constant column said 1e-16, which stood so in files."""
    y = np.random.default_rng(2).integers(0, 2, 30)
    table = {"number": np.ones(30), "level": ["a"] * 30}
    assert all((np.asarray(told) == 0).all() for told in Evidence().fit_transform(table, y).values())
