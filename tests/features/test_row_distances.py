"""Distances of rows by kind: against plain loops, SciPy, and figures worked by hand."""

from __future__ import annotations

import itertools
import tracemalloc
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.spatial.distance import cdist

import likely
from likely import LikelyError

RNG = np.random.default_rng(7)
DAY = {"outlook": ["sunny"], "temperature": ["hot"], "humidity": ["high"], "windy": [False]}
OTHER = {"outlook": ["sunny"], "temperature": ["cool"], "humidity": ["normal"], "windy": [False]}


def mixed(n, gaps=0.2):
    """A frame of all kinds, with gaps."""

    def holes(values):
        return pd.Series(values, dtype=object).where(RNG.random(n) >= gaps, None)

    return pd.DataFrame(
        {
            "number": holes(RNG.normal(5, 2, n).round(1)).astype(float),
            "count": holes(RNG.poisson(3, n)).astype(float),
            "size": pd.Categorical(holes(RNG.choice(["S", "M", "L"], n)), ["S", "M", "L"], ordered=True),
            "colour": holes(RNG.choice(["red", "green", "blue"], n)),
            "flag": holes(RNG.random(n) < 0.3),
        }
    )


def by_loops(frame, metric, scale):
    """Distances by the definitions, a pair and a column at a time; gaps by going through all values."""
    columns = []
    for name in frame:
        column = frame[name]
        if name == "size":
            codes = column.cat.codes.to_numpy().astype(float)
            columns.append((np.where(codes < 0, np.nan, codes), True, 2.0))
        elif name in ("number", "count"):
            values = column.to_numpy()
            known = values[~np.isnan(values)]
            columns.append((values, True, {"range": np.ptp(known), "sd": known.std(), "none": 1.0}[scale]))
        else:
            codes = pd.factorize(column)[0].astype(float)
            columns.append((np.where(codes < 0, np.nan, codes), False, 1.0))
        if scale == "none":
            columns[-1] = (*columns[-1][:2], 1.0)
        if scale == "sd" and name == "size":
            known = columns[-1][0][~np.isnan(columns[-1][0])]
            columns[-1] = (columns[-1][0], True, known.std())
    out = np.zeros((len(frame), len(frame)))
    for i, j in itertools.product(range(len(frame)), repeat=2):
        for values, number, width in columns:
            known = values[~np.isnan(values)]
            mine, theirs = ([v] if not np.isnan(v) else known for v in (values[i], values[j]))
            pairs = [
                abs(a - b) / width if number and metric != "hamming" else float(a != b)
                for a, b in itertools.product(mine, theirs)
            ]
            out[i, j] += np.mean(np.square(pairs) if metric == "euclidean" else pairs)
    np.fill_diagonal(out, 0.0)
    return np.sqrt(out) if metric == "euclidean" else out / 5 if metric == "gower" else out


@pytest.mark.parametrize("metric", ["gower", "euclidean", "manhattan", "hamming"])
@pytest.mark.parametrize("scale", ["range", "sd", "none"])
def test_every_metric_is_its_definition(metric, scale):
    frame = mixed(13)
    assert likely.distances(frame, None, metric, scale=scale) == pytest.approx(
        by_loops(frame, metric, scale), abs=1e-12
    )


def test_worked_figures():
    assert likely.distances(DAY, OTHER, "hamming").item() == 2
    assert likely.distances(DAY, OTHER).item() == 0.5
    sizes = {"size": ["S", "M", "L", "XL"]}
    ranks = likely.distances(sizes, None, "manhattan", kinds={"size": ["S", "M", "L", "XL"]})
    assert ranks[0].tolist() == [0, 1, 2, 3]
    assert likely.distances(sizes, kinds={"size": ["S", "M", "L", "XL"]})[0] == pytest.approx(
        [0, 1 / 3, 2 / 3, 1]
    )


@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_numbers_are_as_scipy_has_them(metric):
    a, b = RNG.normal(size=(70, 4)) + 1e6, RNG.normal(size=(9, 4)) + 1e6
    peer = cdist(a, b, {"manhattan": "cityblock"}.get(metric, metric))
    assert likely.distances(a, b, metric) == pytest.approx(peer, rel=1e-9)


def test_two_tables_turned_around_and_any_library():
    a, b = mixed(9), mixed(6)
    both = likely.distances(a, b)
    assert likely.distances(b, a) == pytest.approx(both.T, abs=1e-13)
    assert (both >= 0).all()
    assert (both <= 1).all()
    plain = [{k: v.astype(object).where(v.notna(), None).tolist() for k, v in t.items()} for t in (a, b)]
    kinds = {"size": ["S", "M", "L"]}
    for make in (dict, pl.DataFrame, pa.table):
        assert likely.distances(*map(make, plain), kinds=kinds) == pytest.approx(both, abs=1e-13)


def test_rows_of_two_tables_are_those_of_one():
    whole = mixed(40)
    kinds = {"size": ["S", "M", "L"]}
    together = likely.distances(whole, kinds=kinds)
    apart = likely.distances(whole[:25], whole[25:].reset_index(drop=True), kinds=kinds)
    assert apart == pytest.approx(together[:25, 25:], abs=1e-13)


def test_nearest_is_the_least_of_all_and_equals_come_in_order():
    frame = mixed(300)
    frame = pd.concat([frame, frame[:50]], ignore_index=True)
    near = likely.nearest(frame, k=4)
    full = likely.distances(frame)
    np.fill_diagonal(full, np.inf)
    order = np.argsort(full, axis=1, kind="stable")[:, :4]
    assert near.distances == pytest.approx(np.take_along_axis(full, order, axis=1), abs=1e-12)
    levels = {"a": RNG.integers(0, 2, 200).astype(str)}
    equal = likely.nearest(levels, k=3, metric="hamming")
    same = np.argsort(likely.distances(levels, None, "hamming") + 9 * np.eye(200), axis=1, kind="stable")[
        :, :3
    ]
    assert (equal.rows == same).all()


def test_memory_grows_with_rows_and_not_with_pairs():
    table = RNG.normal(size=(6000, 3))
    tracemalloc.start()
    likely.nearest(table, k=2)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6000 * 6000 * 8 / 10


def test_columns_that_say_nothing():
    table = {"one": [1.0, 1.0, 1.0], "none": [np.nan] * 3, "x": [0.0, 1.0, 2.0]}
    assert likely.distances(table)[0].tolist() == [
        0,
        0.25,
        0.5,
    ]  # a constant counts, an empty column does not
    assert likely.distances({"none": [np.nan, np.nan]}).tolist() == [[0, 0], [0, 0]]
    assert likely.distances({"x": [3.0]}).tolist() == [[0.0]]
    assert likely.distances(table, columns=["x"])[0].tolist() == [0, 0.5, 1]
    many = np.arange(100_000).astype(str)
    assert likely.distances({"name": many[:2]}, {"name": many}, "hamming").sum() == 2 * 99_999


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: likely.distances({"x": [1.0, np.inf]}), ("'x'", "infinity")),
        (lambda: likely.distances({"x": [1.0]}, None, "cosine"), ("cosine", "gower")),
        (lambda: likely.distances({"x": [1.0]}, scale="iqr"), ("iqr", "range")),
        (lambda: likely.distances({"x": [1.0]}, {"y": [1.0]}), ("x", "y")),
        (lambda: likely.distances({"x": []}), ("0",)),
        (
            lambda: likely.distances({"x": ["a long text " * 9, "another long text " * 9]}, kinds="text"),
            ("'x'", "kinds"),
        ),
        (lambda: likely.distances({"x": [1.0]}, columns=["z"]), ("z",)),
        (lambda: likely.distances({"x": np.zeros(40_000)}), ("13 GB", "nearest")),
        (lambda: likely.nearest({"x": [1.0, 2.0]}, k=2), ("k=2", "1")),
        (lambda: likely.nearest({"x": [1.0, 2.0]}, k=0), ("k=0",)),
    ],
)
def test_refusals_name_what_is_wrong(call, words):
    with pytest.raises(LikelyError) as error:
        call()
    for word in words:
        assert word in str(error.value)


def test_a_notice_about_euclidean_distances_between_probabilities():
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(60, 2)), rng.integers(0, 2, 60)
    chances, odds = (
        likely.Evidence("logistic", space=space).fit(x, y).transform(x)
        for space in ("probability", "log-odds")
    )
    with pytest.warns(likely.LikelyWarning, match=r"columns 'x0', 'x1' between 0 and 1.*log-odds"):
        likely.distances(chances, metric="euclidean")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        likely.distances(odds, metric="euclidean")
        likely.distances(chances)
        likely.distances(chances, metric="euclidean", scale="sd")
        likely.distances(np.round(chances), metric="euclidean")  # 0 and 1 are truths
