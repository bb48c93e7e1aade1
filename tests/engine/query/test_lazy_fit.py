"""Models learnt by queries, in the engine that holds the table: the statistics of the same rows in memory."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from lazy_engines import PARAMS, in_memory, lazy_engine
from sklearn.base import clone

import likely
from likely.errors import LikelyError, LikelyWarning

# What Dask and Spark say about pandas is theirs.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
N = 4_000
CLASSICAL = {"families": "classical", "evidence_weights": None}
MODELS = {
    "classical": likely.NaiveBayes(**CLASSICAL),
    "counts": likely.NaiveBayes(kinds={"visits": "count", "stars": "ordinal"}, **CLASSICAL),
    "missing is a level": likely.NaiveBayes(missing="level", **CLASSICAL),
    "binned": likely.NaiveBayes(evidence_weights=None),
    "histograms": likely.NaiveBayes(families={"far": "histogram", "price": "kernel"}, evidence_weights=None),
    "full": likely.GaussianClassifier(),
    "tied": likely.GaussianClassifier("tied"),
    "spherical": likely.GaussianClassifier("spherical"),
    "shrunk": likely.GaussianClassifier(shrinkage="ledoit_wolf"),
}


@pytest.fixture(scope="module", params=PARAMS)
def lazily(request, tmp_path_factory):
    return lazy_engine(request, tmp_path_factory.mktemp("lazy"))


def table(n: int = N, seed: int = 0) -> pa.Table:
    """Offsets of 1e12, classes 1e12 apart, NaN in Parquet, sorted, constant and all-missing columns."""
    rng = np.random.default_rng(seed)
    code = rng.integers(0, 3, n)
    with_nan = rng.normal(code, 1.0, n)
    with_nan[::7] = np.nan
    words = np.array(["red", "green", 'it\'s "blue"', "ж"], object)[rng.integers(0, 4, n)]
    words[rng.random(n) < 0.03] = None
    gaps = rng.random((6, n)) < 0.05
    return pa.table(
        {
            "far": pa.array(1e12 + rng.normal(code, 1.0, n), mask=gaps[0]),
            "apart": pa.array(1e12 * code + rng.normal(0, 1.0, n), mask=gaps[1]),
            "holes": with_nan,
            "sorted": np.sort(rng.normal(1e9, 3.0, n)),
            "price": pa.array(np.round(rng.gamma(2.0, 9.0, n), 2), mask=gaps[2]),
            "visits": pa.array(rng.poisson(1 + code), mask=gaps[3]),
            "stars": rng.integers(1, 6, n),
            "flag": pa.array(rng.random(n) < 0.2 + 0.2 * code, mask=gaps[4]),
            "zero_one": rng.integers(0, 2, n),
            "same": np.full(n, 0.1),
            "nothing": pa.array([None] * n, pa.float64()),
            "colour": pa.array(words.tolist(), pa.string()),
            "yes_no": np.where(rng.random(n) < 0.5, "yes", "no"),
            "a b": rng.integers(0, 3, n).astype(str),
            "y": np.array(["a", "b", "c"])[code],
        }
    )


def assert_same(mine, theirs, rtol: float = 1e-11) -> None:
    """Counts, levels and schema to the last bit; sums to the digits that the order of adding leaves."""
    a, b = mine.record_, theirs.record_
    assert a.target == b.target
    assert a.schema.columns == b.schema.columns
    assert [column.span for column in a.schema.columns] == [column.span for column in b.schema.columns]
    np.testing.assert_array_equal(a.tally.groups, b.tally.groups)
    for one, other in zip(a.parts, b.parts, strict=True):
        assert (one.family, one.columns) == (other.family, other.columns)
        p, q = one.statistic, other.statistic
        np.testing.assert_array_equal(p.n, q.n)
        if hasattr(q, "table"):
            np.testing.assert_array_equal(p.table, q.table)
        if hasattr(q, "scatter"):
            diagonal = q.scatter if q.scatter.ndim < 3 else np.einsum("gii->gi", q.scatter)
            scale = diagonal if q.scatter.ndim < 3 else np.sqrt(diagonal[:, :, None] * diagonal[:, None, :])
            assert (np.abs(p.scatter - q.scatter) <= rtol * scale).all()
            sd = np.sqrt(diagonal.max(axis=0) / np.maximum(q.n.max(), 1))
            apart = (p.mean - q.mean) + (p.mean_rest - q.mean_rest)
            assert (np.abs(apart) <= rtol * np.maximum(sd, 0.0) + 1e-300).all()
        elif hasattr(q, "total"):
            np.testing.assert_allclose(p.total, q.total, rtol=1e-12)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.filterwarnings("ignore::likely.LikelyWarning")
def test_a_lazy_table_teaches_what_it_teaches_in_memory(lazily, name):
    model, rows = MODELS[name], lazily(table())
    mine = clone(model).fit(rows, "y")
    held = in_memory(rows)
    theirs = clone(model).fit(held, "y")
    assert_same(mine, theirs)
    some = table(300, seed=1).drop_columns(["y"])
    np.testing.assert_allclose(mine.predict_proba(some), theirs.predict_proba(some), rtol=1e-7, atol=1e-9)
    assert mine.record_.schema.library in ("polars", "pandas", "pyarrow")


def test_what_is_learnt_by_queries_adds_and_is_saved(lazily, tmp_path):
    first, second = table(N, 2), table(N // 2, 3)
    both = pa.concat_tables([first, second])
    model = likely.NaiveBayes(**CLASSICAL)
    added = clone(model).fit(lazily(first), "y") + clone(model).fit(lazily(second), "y")
    went_on = clone(model).fit(lazily(first), "y").partial_fit(lazily(second), "y")
    whole = clone(model).fit(both, "y")
    some = second.drop_columns(["y"]).slice(0, 200)
    for one in (added, went_on):
        np.testing.assert_array_equal(one.record_.tally.groups, whole.record_.tally.groups)
        np.testing.assert_allclose(one.predict_proba(some), whole.predict_proba(some), rtol=1e-8, atol=1e-12)
    added.save(tmp_path / "added.likely")
    again = likely.load(tmp_path / "added.likely")
    np.testing.assert_array_equal(again.predict_proba(some), added.predict_proba(some))
    assert "log-odds" in str(added.explain(some.slice(0, 1))) or len(added.explain(some.slice(0, 1)).terms)


def test_the_default_learns_its_weights_from_a_sample(lazily):
    """On 40,000 rows of independent columns all weights are near 1, in memory and from a sample of 6,000."""
    rows = table(40_000).select(["far", "visits", "colour", "flag", "y"])
    model = likely.NaiveBayes().fit(lazily(rows), "y")
    held = likely.NaiveBayes().fit(rows, "y")
    for name, weight in held.evidence_weights_.items():
        assert model.evidence_weights_[name] == pytest.approx(weight, abs=0.25)
    some = table(500, seed=4).select(["far", "visits", "colour", "flag"])
    apart = np.abs(model.predict_proba(some) - held.predict_proba(some))
    assert apart.mean() < 0.02


@pytest.mark.parametrize("gaps", [0.0, 0.05])
@pytest.mark.parametrize("prior", [None, "auto"])
def test_a_line_is_that_of_memory(lazily, gaps, prior):
    """With an offset of 1e9, whole numbers, truth as 0 and 1, and NaN beside gaps."""
    rng = np.random.default_rng(7)
    x = rng.normal(size=(N, 3)) * [1.0, 5.0, 0.1]
    lost = rng.random((2, N)) < gaps
    rows = pa.table(
        {
            "far": pa.array(1e9 + x[:, 0], mask=lost[0]),
            "holes": np.where(rng.random(N) < gaps, np.nan, x[:, 1]),
            "small": x[:, 2],
            "visits": pa.array(rng.poisson(3, N), mask=lost[1]),
            "zero_one": rng.integers(0, 2, N),
            "z": 2.0 * x[:, 0] - x[:, 1] + rng.normal(size=N),
        }
    )
    mine = likely.LinearRegression(prior=prior).fit(lazily(rows), "z")
    held = likely.LinearRegression(prior=prior).fit(rows, "z")
    assert mine.coef_names_ == held.coef_names_
    assert mine.record_.design.gaps == held.record_.design.gaps
    np.testing.assert_allclose(mine.coef_, held.coef_, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(mine.standard_errors_, held.standard_errors_, rtol=1e-11)
    assert mine.noise_variance_ == pytest.approx(held.noise_variance_, rel=1e-11)


@pytest.mark.parametrize("bad", [np.inf, -np.inf])
def test_infinity_is_refused_by_its_column(lazily, bad):
    rows = table(200)
    numbers = rows["price"].to_numpy(zero_copy_only=False).copy()
    numbers[3] = bad
    rows = rows.set_column(rows.schema.get_field_index("price"), "price", pa.array(numbers))
    with pytest.raises(LikelyError, match="infinity: column 'price'"):
        likely.NaiveBayes(**CLASSICAL).fit(lazily(rows), "y")


def test_numbers_too_large_to_square_are_refused_by_their_column(lazily):
    rows = table(200)
    numbers = rows["price"].to_numpy(zero_copy_only=False).copy()
    numbers[3] = 1e300
    rows = rows.set_column(rows.schema.get_field_index("price"), "price", pa.array(numbers))
    with pytest.raises(LikelyError, match="'price'"):
        likely.NaiveBayes(**CLASSICAL).fit(lazily(rows), "y")


@pytest.mark.parametrize("position", ["shuffled", "late"])
def test_more_levels_than_can_be_are_refused_by_name(lazily, position):
    n = 120_000
    names = np.arange(n).astype(str)
    if position == "late":
        names[:20_000] = "0"
    names = pa.array(names)
    rows = pa.table({"who": names, "x": np.arange(n) % 7 * 1.5, "y": np.arange(n) % 2})
    if position == "late":
        rows = pa.concat_tables([rows, rows])
        rows = rows.set_column(0, "who", pa.array(np.append(np.full(n, "0"), np.arange(n).astype(str))))
    with pytest.raises(LikelyError, match=r"'who' has \d+ different values"):
        likely.NaiveBayes().fit(lazily(rows), "y")


def test_what_cannot_be_done_is_said(lazily):
    rows = lazily(table(100))
    with pytest.raises(LikelyError, match="no column 'yy' to be the target: did you mean"):
        likely.NaiveBayes().fit(rows, "yy")
    with pytest.raises(LikelyError, match="sample_weight"):
        likely.NaiveBayes().fit(rows, "y", sample_weight=np.ones(100))
    with pytest.raises(LikelyError, match="name the family"):
        likely.NaiveBayes(families="auto").fit(rows, "y")
    gone = table(100)
    gone = gone.set_column(gone.schema.get_field_index("y"), "y", pa.array([None] * 3 + ["a"] * 97))
    with pytest.raises(LikelyError, match="target 'y' is missing in some rows"):
        likely.NaiveBayes().fit(lazily(gone), "y")
    with pytest.raises(LikelyError, match="0 sample"):
        likely.NaiveBayes().fit(lazily(table(4).slice(0, 0)), "y")


def test_levels_alone_and_numbers_alone(lazily):
    for names in (["colour", "flag", "y"], ["price", "y"], ["visits", "far", "y"]):
        lazy = lazily(table(500).select(names))
        mine, theirs = (likely.NaiveBayes(**CLASSICAL).fit(t, "y") for t in (lazy, in_memory(lazy)))
        assert_same(mine, theirs)


def test_one_row_and_one_class(lazily):
    for rows in (table(1), table(60).filter(pa.compute.equal(table(60)["y"], "a"))):
        columns = rows.select(["far", "colour", "flag", "y"])
        lazy = lazily(columns)
        mine, theirs = (likely.NaiveBayes(**CLASSICAL).fit(t, "y") for t in (lazy, in_memory(lazy)))
        assert_same(mine, theirs)


def test_transformers_and_networks_of_levels(lazily):
    rows = table(900).select(["colour", "flag", "a b", "far", "y"])
    mine, held = (likely.Evidence().fit(one, "y").record_ for one in (lazily(rows), rows))
    assert mine.schema.columns == held.schema.columns
    np.testing.assert_array_equal(mine.levels.table, held.levels.table)
    np.testing.assert_array_equal(mine.cells.weight, held.cells.weight)
    levels = table(900).select(["yes_no", "a b", "y"])
    for structure in ("naive", "tree", "tan", [("y", "a b"), ("yes_no", "a b")]):
        mine = likely.Network(structure).fit(lazily(levels), "y").record_
        held = likely.Network(structure).fit(levels, "y").record_
        assert mine.nodes.columns == held.nodes.columns
        assert mine.parents == held.parents
        for one, other in zip(mine.parts, held.parts, strict=True):
            np.testing.assert_array_equal(one.statistic.table, other.statistic.table)


def test_a_lazy_table_is_never_collected_in_silence(lazily):
    model = likely.NaiveBayes(**CLASSICAL).fit(table(100), "y")
    rows = lazily(table(50).drop_columns(["y"]))
    with pytest.warns(LikelyWarning, match="collected into memory"):
        assert model.predict_proba(rows).shape == (50, 3)
