"""Selection by filters, CFS and Relief: worked figures, peers, laws, odd tables."""

from __future__ import annotations

import itertools
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import chi2_contingency, f_oneway, pearsonr
from sklearn.base import clone
from sklearn.feature_selection import mutual_info_classif
from sklearn.metrics import mutual_info_score, roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn_checks import estimator_checks

import likely
from likely import LikelyError, LikelyWarning, Select
from likely.features.cuts import METHODS

RNG = np.random.default_rng(5)
DAYS = likely.read("play_tennis", into="dict")
COLUMNS = ["outlook", "temperature", "humidity", "windy"]
N = 400
Y = RNG.integers(0, 3, N)
FRAME = pd.DataFrame(
    {
        "told": np.where(RNG.random(N) < 0.1, np.nan, RNG.normal(Y, 1)),
        "noise": RNG.normal(size=N),
        "colour": pd.Series(RNG.choice(["red", "green", "blue"], N)).where(RNG.random(N) < 0.9, None),
        "level": np.array(["a", "b", "c"])[np.where(RNG.random(N) < 0.5, Y, RNG.integers(0, 3, N))],
        "size": pd.Categorical(RNG.choice(["S", "M", "L"], N), ["S", "M", "L"], ordered=True),
        "flag": RNG.random(N) < 0.2 + 0.2 * Y,
    },
    index=np.arange(N) + 7,
)
ADDITIVE = ["bits", "gain", "gain_ratio", "symmetric_uncertainty", "chi_squared"]
EVERY = [*ADDITIVE, "cfs", "relief", "relieff"]
every = pytest.mark.parametrize("by", EVERY)


@estimator_checks(
    Select(keep=1.0),
    rarely=[Select("relieff", keep=1), Select("chi_squared", 0.5), Select("correlation", 2)],
)
def test_estimator_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    ("by", "scores"),
    [
        ("gain", [0.246750, 0.029223, 0.151836, 0.048127]),
        ("chi_squared", [3.546667, 0.570370, 2.8, 0.933333]),
        ("gain_ratio", [0.1564, 0.0188, 0.1518, 0.0488]),
        ("symmetric_uncertainty", [0.1960, 0.0234, 0.1565, 0.0500]),
        ("relief", [0.379762, -0.257143, -0.169048, 0.046429]),
    ],
)
def test_tennis(by, scores):
    digits = 4 if "ratio" in by or "uncertainty" in by else 6
    assert Select(by, 1).fit(DAYS, "play").scores_.round(digits) == pytest.approx(
        scores, abs=10.0**-digits / 2
    )


def test_tennis_in_the_way_of_the_first_found():
    scores = Select("relief", ties="first").fit(DAYS, "play").scores_
    assert scores == pytest.approx([0.214286, -0.142857, -0.142857, 0.071429], abs=5e-7)


def test_tennis_chi_squared_has_degrees_and_p():
    lines = {line["column"]: line for line in Select("chi_squared", 1).fit(DAYS, "play").table().lines}
    assert [lines[name]["df"] for name in COLUMNS] == [2, 2, 1, 1]
    for name in COLUMNS:
        table = pd.crosstab(np.array(DAYS[name]), np.array(DAYS["play"]))
        assert lines[name]["p"] == pytest.approx(chi2_contingency(table, correction=False).pvalue, rel=1e-12)


def test_tennis_cfs():
    model = Select("cfs").fit(DAYS, "play")
    assert model.get_feature_names_out().tolist() == ["outlook", "humidity"]
    merits = [line["merit"] for line in model.table().lines]
    assert merits == pytest.approx([0.196013, 0.247287, 0.230797, 0.190614], abs=5e-7)
    assert [line["column"] for line in model.table().lines] == ["outlook", "humidity", "windy", "temperature"]


def booleans(d):
    return np.array(list(itertools.product([False, True], repeat=d)))


def test_two_booleans_equal_in_one_class_and_opposite_in_the_other():
    eight = booleans(3)
    y = eight[:, 0] == eight[:, 1]
    assert Select("relief", 1).fit(eight, y).scores_ == pytest.approx([0.5, 0.5, -1])
    four = booleans(2)
    same = four[:, 0] == four[:, 1]
    assert Select("relief", 1).fit(four, same).scores_ == pytest.approx(
        [-0.5, -0.5]
    )  # the hit is the far corner
    assert Select("gain", 1).fit(four, same).scores_ == pytest.approx([0, 0], abs=1e-15)
    both = np.array([f"{a}{b}" for a, b in four])
    assert Select("gain", 1).fit({"both": both}, same).scores_ == pytest.approx([1])


def test_filters_keep_both_copies_and_cfs_does_not():
    rows = {**DAYS, "again": DAYS["outlook"]}
    for by in ("gain", "chi_squared", "symmetric_uncertainty"):
        assert set(Select(by, 2).fit(rows, "play").get_feature_names_out()) == {"outlook", "again"}
    merit = {line["column"]: line for line in Select("cfs").fit(rows, "play").table().lines}
    assert merit["outlook"]["step"] == 1
    assert merit["again"]["step"] > 2


def relief_by_loops(X, number, y, k, squared):
    """ReliefF by its definition, a row at a time, of rows without gaps and without ties."""
    n, d = X.shape
    width = np.where(number, np.ptp(X, axis=0), 1)
    terms = np.abs(X[:, None] - X[None]) / width
    terms = np.where(number, terms, terms > 0) ** (2 if squared else 1)
    away = terms.sum(axis=2)
    share = np.bincount(y) / n
    out = np.zeros(d)
    for i in range(n):
        for c in np.unique(y):
            others = [j for j in np.flatnonzero(y == c) if j != i]
            near = sorted(others, key=lambda j: away[i, j])[:k]
            sign = -1 if c == y[i] else share[c] / (1 - share[y[i]])
            out += sign * terms[i, near].mean(axis=0) / n
    return out


@pytest.mark.parametrize(("by", "k"), [("relief", 1), ("relief", 3), ("relieff", 1), ("relieff", 10)])
def test_relief_is_its_definition(by, k):
    X = np.column_stack([RNG.normal(Y), RNG.normal(size=N), RNG.integers(0, 3, N)])[:90]
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2].astype(int).astype(str)})
    scores = Select(by, 1, neighbours=k).fit(frame, Y[:90]).scores_
    number = np.array([True, True, False])
    assert scores == pytest.approx(relief_by_loops(X, number, Y[:90], k, by == "relief"), abs=1e-12)


@pytest.mark.parametrize("k", [3, 10])
def test_relieff_is_that_of_skrebate(k):
    """Of two classes; with more it weighs the misses in a way of its own."""
    peer = pytest.importorskip("skrebate", reason="skrebate is a peer of the benchmarks")
    X, two = RNG.normal(size=(150, 6)) + Y[:150, None] * np.arange(6) / 3, Y[:150] > 0
    theirs = peer.ReliefF(n_neighbors=k, n_features_to_select=3).fit(X, two).feature_importances_
    assert Select("relieff", 1, neighbours=k).fit(X, two).scores_ == pytest.approx(theirs, abs=1e-12)


def test_a_missing_cell_counts_as_it_would_on_average():
    """Filled by chance, again and again, gaps give the same on average: another column says who is near."""
    n = 60
    y = np.arange(n) % 2
    near = np.arange(n) // 2 * 1000.0  # decides who is nearest
    level = RNG.choice(["a", "b"], n)
    gap = RNG.random(n) < 0.3
    known = level[~gap]
    told = Select("relief", 1).fit({"near": near, "level": np.where(gap, None, level)}, y).scores_[1]
    draws = []
    for _ in range(400):
        filled = np.where(gap, RNG.choice(known, n), level)
        draws.append(Select("relief", 1).fit({"near": near * 1e3, "level": filled}, y).scores_[1])
    # fails by chance in one of 10,000 runs with another seed
    assert told == pytest.approx(np.mean(draws), abs=4 * np.std(draws) / 20 + 0.02)


def test_rows_drawn_by_chance_say_their_error():
    X = RNG.normal(size=(1500, 4)) + 0.4 * (np.arange(1500) % 2)[:, None] * np.arange(4)
    y = np.arange(1500) % 2
    whole = Select("relieff", 1).fit(X, y).scores_
    off = []
    for seed in range(30):
        part = Select("relieff", 1, sample=200, seed=seed).fit(X, y)
        errors = {line["column"]: line["error"] for line in part.table().lines}
        error = np.array([errors[f"x{j}"] for j in range(4)])
        assert (error > 0).all()
        off.append((part.scores_ - whole) / error)
    # 120 standard normals that hang together a little: their mean square is above 2 in none of 10,000 runs
    assert 0.5 < np.mean(np.square(off)) < 2
    assert {line["error"] for line in Select("relieff", 1).fit(X, y).table().lines} == {0.0}


def test_gain_is_mutual_information():
    codes = RNG.integers(0, 5, (300, 4))
    codes[:, 1] = (codes[:, 0] + Y[:300]) % 5
    peer = mutual_info_classif(codes, Y[:300], discrete_features=True) / np.log(2)
    model = Select("gain", 1, kinds="categorical").fit(codes, Y[:300])
    assert model.scores_ == pytest.approx(peer, abs=1e-12)


def test_numbers_by_correlation_and_area():
    two = (Y > 0).astype(int)
    X = FRAME[["told", "noise"]].fillna(0.0).to_numpy()
    lines = {line["column"]: line for line in Select("correlation", 1).fit(X, two).table().lines}
    for j in range(2):
        peer = pearsonr(X[:, j], two)
        low, high = peer.confidence_interval(0.9)
        mine = lines[f"x{j}"]
        assert (mine["r"], mine["p"]) == pytest.approx((peer.statistic, peer.pvalue), rel=1e-9)
        assert (mine["low"], mine["high"]) == pytest.approx((low, high), rel=1e-9)
    assert Select("auc", 1).fit(X, two).scores_ == pytest.approx(
        [roc_auc_score(two, X[:, 0]), _area(two, X[:, 1])]
    )
    ratio = Select("correlation", 1).fit(X, Y)
    assert ratio.pvalues_ == pytest.approx(
        [f_oneway(*(X[c == Y, j] for c in range(3))).pvalue for j in range(2)]
    )


def _area(y, x):
    area = roc_auc_score(y, x)
    return max(area, 1 - area)


def test_correlation_of_truths_and_ranks():
    two = (Y > 0).astype(int)
    kinds = {"size": ["S", "M", "L"]}
    frame = FRAME[["flag", "size"]]
    model = Select("correlation", 1, kinds=kinds).fit(frame, two)
    ranks = frame["size"].cat.codes
    peers = [abs(np.corrcoef(frame["flag"], two)[0, 1]), abs(np.corrcoef(ranks, two)[0, 1])]
    assert model.scores_ == pytest.approx(peers, rel=1e-9)
    assert Select("auc", 1).fit(frame, two).scores_ == pytest.approx(
        [_area(two, frame["flag"]), _area(two, ranks)]
    )


def test_names_of_rows_tell_nothing():
    rows = {"name": [f"row {i}" for i in range(N)], "level": FRAME["level"].tolist()}
    assert Select("gain", 1).fit(rows, Y).get_feature_names_out().tolist() == ["name"]
    honest = Select().fit(rows, Y)
    assert honest.get_feature_names_out().tolist() == ["level"]
    assert honest.scores_[0] == pytest.approx(0, abs=1e-9)


def test_p_values_are_those_of_chance():
    """Of 400 columns that tell nothing about 5 % have p below .05: 3 to 37, but once in a million tables."""
    X = RNG.normal(size=(500, 400))
    p = Select("chi_squared", 1).fit(X, RNG.integers(0, 2, 500)).pvalues_
    assert 3 <= (p < 0.05).sum() <= 37
    assert np.isnan(
        Select("chi_squared", 1, bins="optimal").fit(X[:, :3], Y[:500][:400].repeat(2)[:500]).pvalues_
    ).all()


@pytest.mark.parametrize("by", [*ADDITIVE, "correlation", "auc"])
def test_pieces_are_the_whole(by):
    frame = FRAME if by in ADDITIVE else FRAME[["told", "noise", "flag"]]
    whole = Select(by, 2).fit(frame, Y)
    a, b = Select(by, 2).fit(frame[:150], Y[:150]), Select(by, 2).fit(frame[150:], Y[150:])
    more = Select(by, 2).fit(frame[:150], Y[:150]).partial_fit(frame[150:], Y[150:])
    for other in (a + b, more):
        assert other.scores_ == pytest.approx(whole.scores_, abs=1e-10)
        assert (other.get_support() == whole.get_support()).all()


@pytest.mark.parametrize("by", ["cfs", "relief", "relieff"])
def test_what_looks_at_rows_does_not_add(by):
    model = Select(by).fit(FRAME, Y)
    assert not hasattr(model, "partial_fit")
    with pytest.raises(LikelyError, match="'gain'"):
        model + clone(model).fit(FRAME, Y)


@every
def test_a_row_of_weight_two_is_the_row_twice(by):
    weight = RNG.integers(0, 3, N)
    weighted = Select(by, 2).fit(FRAME, Y, sample_weight=weight)
    copies = Select(by, 2).fit(FRAME.loc[FRAME.index.repeat(weight)], np.repeat(Y, weight))
    assert weighted.scores_ == pytest.approx(copies.scores_, abs=1e-10)


@every
def test_frames_names_pipelines_and_files(by, tmp_path):
    model = Select(by, 3).fit(FRAME, Y)
    out = model.transform(FRAME)
    assert out.index.equals(FRAME.index)
    assert list(out) == model.get_feature_names_out().tolist() == FRAME.columns[model.get_support()].tolist()
    pd.testing.assert_frame_equal(out, FRAME[list(out)])
    assert model.get_support(indices=True).tolist() == np.flatnonzero(model.get_support()).tolist()
    asked = clone(model).set_output(transform="polars").fit(FRAME, Y).transform(FRAME)
    assert isinstance(asked, pl.DataFrame)
    assert asked.columns == list(out)
    piped = make_pipeline(Select(by, 3), likely.NaiveBayes()).fit(FRAME, Y)
    direct = likely.NaiveBayes().fit(out, Y)
    assert piped.predict_proba(FRAME) == pytest.approx(direct.predict_proba(out))
    model.save(tmp_path / "it.likely")
    again = likely.load(tmp_path / "it.likely")
    assert str(again.table()) == str(model.table())
    pd.testing.assert_frame_equal(again.transform(FRAME), out)
    assert "stay" in str(model.story())


def test_what_it_says():
    model = Select("chi_squared", 2).fit(DAYS, "play")
    assert model.supervised
    assert not model.deductive
    assert "looks at the target" in model.describe()
    assert "temperature (categorical): left out" in model.describe()
    assert model.to_sql("days").count(" AS ") == 2
    told = model.explain(DAYS, 0)
    assert [line["column"] for line in told.lines] == ["outlook", "humidity"]
    assert told.lines[0]["cell"] == "sunny"
    assert "p is rough" in str(model.table())
    assert len(model.table("outlook").lines) == 1
    bars = Select("relief", 1).fit(DAYS, "play").plot()
    assert sorted(float(bar.get_width()) for bar in bars.patches) == pytest.approx(
        sorted(Select("relief", 1).fit(DAYS, "play").scores_)
    )


def test_how_many_stay():
    def kept(**options):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LikelyWarning)
            return int(Select("gain", **options).fit(DAYS, "play").get_support().sum())

    assert [kept(keep=k) for k in (1, 3, 9, 0.5, 0.01, 1.0)] == [1, 3, 4, 2, 1, 4]
    assert [kept(threshold=t) for t in (0.0, 0.1, 0.2, 5.0)] == [4, 2, 1, 1]
    assert kept(keep=2, threshold=0.2) == 1
    with pytest.warns(LikelyWarning, match="'outlook'"):
        Select("gain", threshold=5.0).fit(DAYS, "play")
    texts = {"text": ["a long text, " * 9] * 14, **DAYS}
    model = Select("gain", 1, kinds={"text": "text"}).fit(texts, "play")
    assert model.get_feature_names_out().tolist() == ["text", "outlook"]  # texts are not judged
    assert Select("gain", 1, columns=["windy", "humidity"]).fit(
        DAYS, "play"
    ).get_feature_names_out().tolist() == [
        "outlook",
        "temperature",
        "humidity",
    ]


ODD = {
    "constant": {"x": [1.0, 1.0, 1.0, 1.0], "z": [1.0, 2.0, 3.0, 4.0]},
    "all missing": {"x": [np.nan] * 4, "z": [1.0, 2.0, 3.0, 4.0]},
    "all missing levels": {"x": np.array([None] * 4, object), "z": ["a", "b", "a", "b"]},
    "one level": {"x": ["a"] * 4, "z": ["a", "b", "a", "b"]},
    "huge": {"x": [-1e149, 1e149, 0.0, 1.0], "z": [0.0, 0.0, 1.0, 1.0]},
    "tiny": {"x": [1e-300, 2e-300, 0.0, 1e-300], "z": [0.0, 0.0, 1.0, 1.0]},
}


@every
@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("y", [[0, 0, 1, 1], [0, 0, 0, 0], [0, 1, 2, 3]], ids=str)
@pytest.mark.parametrize("weight", [None, [1.0, 0.0, 2.0, 0.5]], ids=str)
@pytest.mark.filterwarnings("ignore::likely.LikelyWarning")
def test_odd_tables_have_scores(by, name, y, weight):
    model = Select(by).fit(ODD[name], y, weight)
    assert np.isfinite(model.scores_).all()
    assert 1 <= model.get_support().sum() <= 2
    str(model.table()), model.describe()
    if name in ("constant", "all missing", "one level"):
        assert model.scores_[0] <= 1e-9
        assert model.scores_[0] >= -1e-9 or by == "bits"  # one level costs held-out rows a little


@every
@pytest.mark.filterwarnings("ignore::likely.LikelyWarning")
def test_one_row_and_many_levels(by):
    assert Select(by).fit({"x": [1.0], "z": ["a"]}, ["k"]).scores_ == pytest.approx([0, 0])
    if by not in ("relief", "relieff"):
        names = np.arange(100_000).astype(str)
        y = np.arange(100_000) % 2
        model = Select(by, 1).fit({"name": names, "y": np.where(y, "a", "b")}, y)
        assert np.isfinite(model.scores_).all()


@pytest.mark.parametrize(
    ("model", "X", "words"),
    [
        (Select("beauty"), DAYS, ("beauty", "'gain'")),
        (Select(keep=0), DAYS, ("keep=0", "share")),
        (Select(keep=1.5), DAYS, ("1.5",)),
        (Select("relieff", neighbours=0), DAYS, ("neighbours=0",)),
        (Select("relieff", sample=0.5), DAYS, ("sample=0.5",)),
        (Select(bins="neat"), DAYS, ("neat", "'optimal'")),
        (Select(columns=["outlok"]), DAYS, ("outlok",)),
        (Select("auc"), DAYS, ("'outlook'", "categorical", "kinds")),
        (Select("correlation"), DAYS, ("'outlook'", "symmetric_uncertainty")),
        (Select("relief"), {"x": [1.0, np.inf], "play": [0, 1]}, ("'x'", "infinity")),
        (Select("gain"), {"x": [1.0, np.inf], "play": [0, 1]}, ("'x'", "infinity")),
        (
            Select(columns=["t"], kinds={"t": "text"}),
            {"t": ["one text", "two text"], "play": [0, 1]},
            ("'t'", "text"),
        ),
        (Select(), {"x": [1.0, 2.0], "play": [0.5, 1.7]}, ("play", "levels")),
    ],
)
def test_refusals_name_what_is_wrong(model, X, words):
    with pytest.raises(LikelyError) as error:
        model.fit(X, "play")
    for word in words:
        assert word in str(error.value)


@pytest.mark.parametrize("bins", [4, np.int64(4), *METHODS])
def test_numbers_go_through_any_bins(bins):
    two = (Y > 0).astype(int)
    told = Select("gain", 1.0, bins=bins).fit(FRAME[["told", "noise"]], two)
    method, many = (bins, None) if isinstance(bins, str) else ("equal_frequency", 4)
    cells = likely.Discretize(method, many, encode="codes").fit_transform(FRAME[["told", "noise"]], two)
    for j, name in enumerate(cells):
        known = cells[name].notna()
        table = pd.crosstab(cells[name][known], two[known]).to_numpy()
        gain = mutual_info_score(None, None, contingency=table) / np.log(2)
        assert told.scores_[j] == pytest.approx(gain, abs=1e-12)


@pytest.mark.parametrize(
    "change",
    [
        {"places": np.array([0, 9])},
        {"scores": np.array([np.nan, 1.0])},
        {"errors": np.zeros(3)},
        {"looked_at": -1},
    ],
    ids=str,
)
def test_a_record_that_no_fit_gives_is_refused(change):
    record = replace(
        Select("relief").fit(DAYS, "play").record_,
        places=np.array([0, 1]),
        scores=np.ones(2),
        errors=np.zeros(2),
    )
    record.check()
    with pytest.raises(LikelyError):
        replace(record, **change).check()
